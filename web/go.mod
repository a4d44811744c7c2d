module github.com/chargecast/chargecast/web

go 1.26.0

replace github.com/chargecast/chargecast => ../

require github.com/chargecast/chargecast v0.0.0

require github.com/shopspring/decimal v1.6.0 // indirect
