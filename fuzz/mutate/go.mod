module github.com/chargecast/chargecast/fuzz/mutate

go 1.26.0
