package amount

// CurrenciesPublished is the date, year-month-day, of the list that [MinorUnits] follows: ISO 4217,
// List One, current currencies and funds.
const CurrenciesPublished = "2026-01-01"

// MinorUnits returns the number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. The
// code is written in capital letters. For a code that is not in the list, and for the thirteen
// codes that have no minor unit there (metals, bond units, units of account, XTS and XXX), it
// returns 0 and false: nothing is known about decimals, and nothing can be checked (L36c).
// [ListedCurrency] distinguishes the two cases.
func MinorUnits(currency string) (digits int, ok bool) {
	d := minorUnits(currency)
	if d < '0' { // not in the list, or noMinorUnit
		return 0, false
	}
	return int(d - '0'), true
}

// ListedCurrency reports whether the code is in the list, with or without a minor unit.
func ListedCurrency(currency string) bool { return minorUnits(currency) != 0 }

// An entry of the table is a code, a digit or noMinorUnit, and a space.
const (
	codeSize    = 3
	entrySize   = 5
	noMinorUnit = '-'
)

// minorUnits returns the digit of a code, noMinorUnit where the list has none, or 0 for a code that
// is not in the list.
func minorUnits(code string) byte {
	if len(code) != codeSize || code[0] < 'A' || code[0] > 'Z' {
		return 0
	}
	for list := currencies[code[0]-'A']; list != ""; list = list[entrySize:] {
		if list[1] == code[1] && list[2] == code[2] {
			return list[codeSize]
		}
	}
	return 0
}

// currencies is the list by first letter, sorted by code. It is never written.
var currencies = [26]string{
	"AED2 AFN2 ALL2 AMD2 AOA2 ARS2 AUD2 AWG2 AZN2 ",
	"BAM2 BBD2 BDT2 BHD3 BIF0 BMD2 BND2 BOB2 BOV2 BRL2 BSD2 BTN2 BWP2 BYN2 BZD2 ",
	"CAD2 CDF2 CHE2 CHF2 CHW2 CLF4 CLP0 CNY2 COP2 COU2 CRC2 CUP2 CVE2 CZK2 ",
	"DJF0 DKK2 DOP2 DZD2 ",
	"EGP2 ERN2 ETB2 EUR2 ",
	"FJD2 FKP2 ",
	"GBP2 GEL2 GHS2 GIP2 GMD2 GNF0 GTQ2 GYD2 ",
	"HKD2 HNL2 HTG2 HUF2 ",
	"IDR2 ILS2 INR2 IQD3 IRR2 ISK0 ",
	"JMD2 JOD3 JPY0 ",
	"KES2 KGS2 KHR2 KMF0 KPW2 KRW0 KWD3 KYD2 KZT2 ",
	"LAK2 LBP2 LKR2 LRD2 LSL2 LYD3 ",
	"MAD2 MDL2 MGA2 MKD2 MMK2 MNT2 MOP2 MRU2 MUR2 MVR2 MWK2 MXN2 MXV2 MYR2 MZN2 ",
	"NAD2 NGN2 NIO2 NOK2 NPR2 NZD2 ",
	"OMR3 ",
	"PAB2 PEN2 PGK2 PHP2 PKR2 PLN2 PYG0 ",
	"QAR2 ",
	"RON2 RSD2 RUB2 RWF0 ",
	"SAR2 SBD2 SCR2 SDG2 SEK2 SGD2 SHP2 SLE2 SOS2 SRD2 SSP2 STN2 SVC2 SYP2 SZL2 ",
	"THB2 TJS2 TMT2 TND3 TOP2 TRY2 TTD2 TWD2 TZS2 ",
	"UAH2 UGX0 USD2 USN2 UYI0 UYU2 UYW4 UZS2 ",
	"VED2 VES2 VND0 VUV0 ",
	"WST2 ",
	"XAD2 XAF0 XAG- XAU- XBA- XBB- XBC- XBD- XCD2 XCG2 XDR- XOF0 XPD- XPF0 XPT- XSU- XTS- XUA- XXX- ",
	"YER2 ",
	"ZAR2 ZMW2 ZWG2 ",
}
