package rules

import "strings"

// The lists are those of ISO 3166-1 alpha-2, officially assigned codes, and of ISO 3166-2 for US with
// outlying areas and the military codes AA, AE, AP, for CA and for AU, as of 2026-01-01 (L50).

func codesOf(list string) map[string]bool {
	codes := map[string]bool{}
	for code := range strings.FieldsSeq(list) {
		codes[code] = true
	}
	return codes
}

func isCountry(s string) bool { return countries[s] }

// needsState reports whether the document requires a state for the country.
func needsState(country string) bool { return country == "US" || country == "CA" || country == "AU" }

// isState reports whether our list has the state of a country that needs one.
func isState(country, state string) bool { return states[country][state] }

var (
	countries = codesOf(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`)
	states = map[string]map[string]bool{
		"US": codesOf(`
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI AA AE AP`),
		"CA": codesOf(`AB BC MB NB NL NS NT NU ON PE QC SK YT`),
		"AU": codesOf(`ACT NSW NT QLD SA TAS VIC WA`),
	}
)

// stateSets is a supplied list of states as sets; nil for none.
func stateSets(lists map[string][]string) map[string]map[string]bool {
	if lists == nil {
		return nil
	}
	sets := make(map[string]map[string]bool, len(lists))
	for country, states := range lists {
		set := make(map[string]bool, len(states))
		for _, s := range states {
			set[s] = true
		}
		sets[country] = set
	}
	return sets
}
