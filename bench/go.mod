module github.com/chargecast/chargecast/bench

go 1.26.0

toolchain go1.26.8

require (
	github.com/chargecast/chargecast v0.0.0
	github.com/cockroachdb/apd/v3 v3.2.3
	github.com/dghubble/oauth1 v0.7.3
	github.com/govalues/decimal v0.1.36
	github.com/robfig/cron/v3 v3.0.1
	github.com/shopspring/decimal v1.6.0
	github.com/teambition/rrule-go v1.8.2
)

replace github.com/chargecast/chargecast => ../
