module github.com/chargecast/chargecast/release

go 1.26.0

toolchain go1.26.8

require golang.org/x/mod v0.42.0
