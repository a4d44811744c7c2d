package laws

// elsewhere are the laws that no implementation can be asked, and what tests them.
var elsewhere = map[string]string{
	"C02": "a test of package calendar",
	"Y01": "a test of package engine",
	"Y13": "a test of package fuzz/vectortest",
	"X05": "tests of package ledger and of the pages",
	"K04": "a test of package fuzz",
	"K05": "tests of command chargecast",
	"O10": "tests of command chargecast",
	"N01": "tests of command chargecast",
	"N02": "tests of command chargecast",
	"N03": "tests of command chargecast",
	"N04": "tests of command chargecast",
	"N05": "tests of command chargecast",
	"N06": "tests of command chargecast",
	"N07": "tests of command chargecast",
	"N08": "tests of command chargecast",
	"N09": "tests of command chargecast",
	"N10": "tests of command chargecast",
	"G01": "tests of packages fuzz and fuzz/gallery",
	"G02": "tests of package fuzz",
	"G03": "tests of package fuzz",
	"G04": "tests of package fuzz",
	"G05": "tests of package fuzz",
	"G06": "tests of package fuzz/conform",
	"G07": "tests of package fuzz/campaign",
	"G08": "tests of package fuzz",
	"G09": "tests of package fuzz",
	"G10": "a test of package fuzz/gallery",
	"G11": "a test of package fuzz/gallery",
}

// Elsewhere names the tests of a law that no implementation can be asked, such as C02: a test of package calendar. It is empty
// for any other id.
func Elsewhere(id string) string { return elsewhere[id] }
