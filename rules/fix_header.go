package rules

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A header is what the names of the first row mean.
type header struct {
	names    []headerName
	width    int  // how many columns are written
	tail     int  // names at the end that are empty, and not among names
	tailUsed bool // a row has a value there
	keepTail bool // they are among names
	unsafe   bool // the header stays as it is, so that rows that are refused stay those
}

// A headerName is what becomes of a name in the header.
type headerName struct {
	name    string // without quotes and white space around it, at most longestHeaderName bytes of it
	key     string
	means   []Column // that it may mean, by whatever rule
	rank    rank
	column  Column
	code    ledger.Code
	refused bool
	drop    bool
	rival   Column // the column of which there are two, where that is refused
	near    Column // that it perhaps means
	expiry  bool   // it has month and year of expiry in one value
	seen    evidence
}

// A rank is by what a name means a column, the best first: its own name, one that was given, its own but for case and
// marks, an alias.
type rank uint8

const (
	rankExact rank = iota
	rankGiven
	rankLoose
	rankAlias
	rankNone
)

var rankCodes = [...]ledger.Code{"", fixRename, fixName, fixAlias}

// meaning returns the columns that a name may mean, the zero Column for one that is to be removed, and whether it has month and
// year of expiry.
func (x *fixing) meaning(name string) (means []Column, by rank, expiry bool) {
	c, exact := ColumnOf(name)
	given, ok := x.Rename[name]
	if !ok && len(x.Rename) > 0 {
		given, ok = x.Rename[inOneLine(name)]
	}
	switch {
	case ok && (!exact || given != c):
		return []Column{given}, rankGiven, false
	case exact:
		return []Column{c}, rankExact, false
	case x.isExpiry(name):
		return []Column{ColumnExpireMonth}, rankGiven, true
	}
	if c := nameKeys[nameKey(name)]; c != 0 {
		return []Column{c}, rankLoose, false
	}
	key := aliasKey(name)
	switch list := aliasKeys[key]; {
	case list != nil:
		return list, rankAlias, false
	case expiryKeys[key]:
		return []Column{ColumnExpireMonth}, rankAlias, true
	}
	return nil, rankNone, false
}

// readHeader reads up to the header and finds what its names may mean.
func (x *fixing) readHeader(rec *cutter) {
	x.sep, x.unreadable, x.hint, x.names, x.curly, x.misfits = ';', true, false, nil, false, misfits{}
	for rec.next() {
		if len(rec.raw) == 0 {
			continue
		}
		if !x.hint && isSeparatorLine(rec.raw) {
			x.hint = true
			continue
		}
		most := 0
		for _, sep := range [...]byte{';', ',', '\t'} {
			if rec.sep = sep; rec.over {
				continue
			}
			if rec.split(rec.raw); rec.bad || len(rec.cells) > mostCells {
				continue
			}
			n := 0
			for _, c := range rec.cells {
				if means, _, _ := x.meaning(c.name()); len(means) > 0 && means[0] != 0 {
					n++
				}
			}
			if n > most {
				x.sep, most = sep, n
			}
		}
		x.unreadable = most == 0
		rec.sep = x.sep
		if !x.unreadable {
			rec.split(rec.raw)
			x.matchNames(rec.cells)
		}
		return
	}
}

// matchNames finds the columns of all names but aliases, of which the values decide.
func (x *fixing) matchNames(cells []cellText) {
	n := len(cells)
	for !x.keepTail && n > 1 && cells[n-1].blank() {
		n--
	}
	x.tail = len(cells) - n
	x.names = make([]headerName, n)
	var claims [columnCount + 1][rankAlias]int
	for i, c := range cells[:n] {
		x.curly = x.curly || c.curly()
		name := &x.names[i]
		name.name = c.name()
		name.means, name.rank, name.expiry = x.meaning(name.name)
		if name.key = nameKey(name.name); len(name.name) > longestHeaderName {
			name.name = strings.ToValidUTF8(name.name[:longestHeaderName], "")
		}
		if name.rank < rankAlias {
			claims[name.means[0]][name.rank]++
		}
	}
	for i := range x.names {
		name := &x.names[i]
		if name.rank >= rankAlias {
			// Of several columns that an alias means those remain that no better name is.
			name.means = slices.DeleteFunc(slices.Clone(name.means), func(c Column) bool { return claims[c] != [rankAlias]int{} })
			continue
		}
		col, better := name.means[0], 0
		for _, k := range claims[col][:name.rank] {
			better += k
		}
		switch {
		case col == 0: // to be removed
			name.drop, name.code = true, fixUnknown
		case claims[col][name.rank] > 1, name.rank == rankGiven && better > 0:
			name.rival = col
		case better == 0:
			name.column = col
		}
	}
	for i := range x.names {
		x.names[i].seen.as = x.names[i].as(x)
	}
}

// as is the column whose values those of a column are looked at as: the one that it is, may be or is near to.
func (n *headerName) as(x *fixing) Column {
	switch {
	case n.column != 0:
		return n.column
	case n.drop, n.rival != 0:
		return 0
	case len(n.means) > 0 && n.rank == rankAlias:
		return n.means[0]
	}
	if near, ok := nearestColumn(n.name); ok && !x.has(near) {
		n.near = near
	}
	return n.near
}

// has reports whether a name is the column, or may be.
func (x *fixing) has(col Column) bool {
	return slices.ContainsFunc(x.names, func(n headerName) bool { return n.column == col || n.rival == col || slices.Contains(n.means, col) })
}

// indexOf is the place of a column in the header; negative where it is not there.
func (x *fixing) indexOf(col Column) int {
	return slices.IndexFunc(x.names, func(n headerName) bool { return n.column == col && col != 0 })
}

// decide decides, once all rows were seen, which aliases are columns, what is removed and added, and what separates the
// values.
func (x *fixing) decide() {
	var takers [columnCount + 1]int
	for i := range x.names {
		n := &x.names[i]
		if n.rank != rankAlias {
			continue
		}
		for k, col := range n.means {
			if n.seen.fits(k) {
				n.column = col
				takers[col]++
				break
			}
		}
	}
	x.freeExpiry()
	for i := range x.names {
		n := &x.names[i]
		if n.rank == rankAlias && n.column != 0 && takers[n.column] > 1 {
			n.column, n.rival = 0, n.column
		}
		switch {
		case n.rival != 0:
			n.code, n.refused = refuseTwice, true
		case n.column != 0:
			n.code = rankCodes[n.rank]
		case !n.drop:
			n.code, n.drop, n.refused = fixUnknown, x.DropUnknown, !x.DropUnknown
			if n.rank == rankAlias && len(n.means) > 0 && takers[n.means[0]] == 0 && !n.expiry {
				n.near = n.means[0]
			}
		}
	}
	x.added = x.added[:0]
	for s := range Columns() {
		rival := slices.ContainsFunc(x.names, func(n headerName) bool { return n.rival == s.Column })
		if x.indexOf(s.Column) < 0 && !rival && (x.Set[s.Column] != "" || s.Column == ColumnInterval && x.multiplies() || s.Column == ColumnExpireYear && x.expiryColumn() >= 0) {
			x.added = append(x.added, s.Column)
		}
	}
	if x.layOut(); !x.reform {
		if i := x.expiryColumn(); i >= 0 { // there is no place for the year
			x.names[i].noExpiry()
			x.names[i].code, x.names[i].refused = fixUnknown, true
			x.added = slices.DeleteFunc(x.added, func(c Column) bool { return c == ColumnExpireYear })
		}
	}
	x.outputs = x.outputs[:0]
	for i, n := range x.names {
		if !x.drops(i) {
			x.outputs = append(x.outputs, output{n.column, i})
		}
	}
	for _, col := range x.added {
		if x.reform {
			x.outputs = append(x.outputs, output{col, -1})
		}
	}
	x.describe()
}

// multiplies reports whether a period of a row is several times one of the document's.
func (x *fixing) multiplies() bool {
	if i := x.indexOf(ColumnPeriod); i >= 0 {
		return x.names[i].seen.times
	}
	return x.Set[ColumnPeriod] != "" && x.values[ColumnPeriod][""].Times > 1
}

// layOut chooses the separator and the columns that are written: semicolons, and those that the user wants. A row that is
// refused stays as it is, and must not become one that can be read: where it would, less is changed.
func (x *fixing) layOut() {
	kept := len(x.names)
	for _, n := range x.names {
		if n.drop {
			kept--
		}
	}
	for _, to := range [...]byte{';', x.sep} {
		if x.unsafe {
			break
		}
		for _, reform := range [...]bool{true, false} {
			x.to, x.reform, x.width = to, reform, len(x.names)
			if reform {
				x.width = kept + len(x.added)
			}
			if x.width > 0 && x.width <= mostCells && (x.width > 1 || to == ';') && !x.misfits.fit(x.width, to == ';') {
				return
			}
		}
	}
	x.to, x.reform, x.width = x.sep, false, len(x.names)
	if x.tail > 0 && !x.tailUsed { // with one column there is no separator
		x.tailUsed, x.unsafe = true, true
	}
}

// drops reports whether column i is not written.
func (x *fixing) drops(i int) bool { return x.names[i].drop && x.reform }

// reforms reports whether columns are removed or added.
func (x *fixing) reforms() bool {
	return x.reform && (len(x.added) > 0 || x.width != len(x.names))
}

// fits reports whether a record has the values of the header, with nothing but empty ones after them.
func (x *fixing) fits(rec *cutter) bool {
	n := len(rec.cells) - len(x.names)
	if rec.bad || rec.over || n < 0 || n > x.tail+1 {
		return false
	}
	if n > x.tail && rec.sep == ',' && x.splitsAmount(rec) {
		return false
	}
	return !slices.ContainsFunc(rec.cells[len(x.names):], func(c cellText) bool { return !c.blank() })
}

// splitsAmount reports whether a decimal comma without quotes may be what makes a record longer than the header.
func (x *fixing) splitsAmount(rec *cutter) bool {
	other := func(c Column) bool {
		return c != 0 && columns[c].kind != valueAmount && columns[c].kind != valueAmounts
	}
	for i, n := range x.names {
		if c, next := rec.cells[i], rec.cells[i+1]; c.quoted || next.quoted || other(n.seen.as) {
			continue
		} else if trailingDigits(string(c.raw)) > 0 && leadingDigits(string(next.raw)) > 0 {
			return true
		}
	}
	return false
}

// repeatsHeader reports whether a record has the names of the header again.
func (x *fixing) repeatsHeader(rec *cutter) bool {
	if len(x.names) < 2 {
		return false
	}
	known := false
	for i, n := range x.names {
		name := rec.cells[i].name()
		means, _, _ := x.meaning(name)
		same := slices.ContainsFunc(means, func(c Column) bool {
			return c != 0 && (c == n.column || c == n.rival || slices.Contains(n.means, c))
		})
		if !same && (n.key != nameKey(name) || n.key == "" && name != n.name) {
			return false
		}
		known = known || same
	}
	return known
}

// misfits are how many values the rows have that are refused as a whole.
type misfits struct {
	same, semicolons [mostCells + 1]bool // where their values are separated as they are, or by semicolons
	open             bool                // with semicolons, one ends at another place or has no value
}

// fit reports whether one of the rows would have the values of a header of so many columns.
func (m *misfits) fit(width int, semicolons bool) bool {
	if semicolons {
		return m.open || m.semicolons[width]
	}
	return m.same[width]
}

// add adds a row.
func (m *misfits) add(rec *cutter) {
	note := func(widths *[mostCells + 1]bool, cells []cellText) {
		for n := len(cells); n > 0 && n <= mostCells; n-- {
			widths[n] = true
			if !cells[n-1].blank() || n < len(cells) {
				break
			}
		}
	}
	if !rec.bad && !rec.over {
		note(&m.same, rec.cells)
	}
	if rec.sep == ';' {
		m.semicolons = m.same
		return
	}
	state := atStart
	follow := func(text []byte) {
		for _, b := range text {
			m.open = m.open || b == '\n' && state != inQuotes
			state = state.after(b, ';')
		}
	}
	follow(rec.raw)
	rec.rest(follow)
	m.open = m.open || state == inQuotes
	if other := (splitter{sep: ';'}); !rec.over {
		if other.split(rec.raw); !other.bad {
			note(&m.semicolons, other.cells)
			m.open = m.open || other.blank()
		}
	}
}

// shown is the name of column i where it may be shown; empty otherwise.
func (x *fixing) shown(i int) string {
	if name := inOneLine(x.names[i].name); isPrintableName(name) {
		return name
	}
	return ""
}

// inOneLine is a name without what cannot be seen in it, and with spaces for other white space.
func inOneLine(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case isBreak(r):
			return ' '
		case isInvisible(r):
			return -1
		}
		return r
	}, name)
}

// quotesCurly reports whether a row shows that the quotes of the text are typographic: a value that is not a text is in them.
func (x *fixing) quotesCurly(rec *cutter) bool {
	for i := range x.names {
		c := rec.cells[i]
		if c.quoted || len(c.raw) == 0 || !bytes.ContainsFunc(c.raw, func(r rune) bool { return closers[r] != "" }) {
			continue
		}
		columnsOf := x.names[i].means
		if x.names[i].column != 0 {
			columnsOf = []Column{x.names[i].column}
		}
		for _, col := range columnsOf {
			if kind := columns[col].kind; kind != 0 && kind != valueText && c.curly() {
				return true
			}
		}
	}
	return false
}

// Aliases yields the other names by which a [Fixer] knows the columns, in the document's order. Such a name counts only
// where the values of its column can be read as those of that column; a few names are listed for two columns, and the
// first that fits is taken. Case, _, -, white space and points are not compared, and ä, ö, ü, ß are ae, oe, ue, ss.
func Aliases() iter.Seq2[string, Column] {
	return func(yield func(string, Column) bool) {
		for c := ColumnCardType; c <= columnCount; c++ {
			for alias := range strings.SplitSeq(aliases[c], ", ") {
				if alias != "" && !yield(alias, c) {
					return
				}
			}
		}
	}
}

// aliases are the names that exports in English and German have for the columns.
var aliases = [columnCount + 1]string{
	ColumnCardType: "Card Type, Profile Type, RP Type, Kartentyp, Profiltyp",
	ColumnOrderID: "Order ID, Order No, Order Nr, Order Number, Order Ref, Order Reference, Merchant Order ID, External ID, " +
		"Customer ID, Customer No, Customer Nr, Customer Number, Client ID, Client Number, Subscription ID, Contract ID, Contract Number, " +
		"Kunden ID, Kundennr, Kundennummer, Bestell ID, Bestellnr, Bestellnummer, Auftragsnr, Auftragsnummer, Vertragsnr, Vertragsnummer",
	ColumnCardNumber: "Card Number, Card No, PAN, CC Number, Credit Card, Credit Card No, Kartennr, Kartennummer, Kreditkarte, Kreditkartennr, Kreditkartennummer",
	ColumnCVV2:       "CVV, CVC, CVC2, CSC, Security Code, Card Code, Card Security Code, Prüfnummer, Prüfziffer, Kartenprüfnummer, Sicherheitscode",
	ColumnCardPrintedName: "Cardholder, Cardholder Name, Card Name, Name on Card, Name on the Card, " +
		"Karteninhaber, Kreditkarteninhaber, Name auf Karte, Name auf der Karte, Name Karteninhaber",
	ColumnExpireYear:  "Expiry Year, Expiration Year, Exp Year, Card Expiry Year, Ablaufjahr, Verfallsjahr, Gültig bis Jahr",
	ColumnExpireMonth: "Expiry Month, Expiration Month, Exp Month, Card Expiry Month, Ablaufmonat, Verfallsmonat, Gültig bis Monat",
	ColumnAmount: "Sum, Price, Total, Total Amount, Charge Amount, Monthly Amount, Fee, " +
		"Betrag, Preis, Summe, Gesamtbetrag, Monatsbetrag, Rechnungsbetrag, Gebühr",
	ColumnAmountFrom:     "Min Amount, Minimum Amount, Amount Min, Mindestbetrag, Betrag von, Betrag ab, Betrag min",
	ColumnAmountTo:       "Max Amount, Maximum Amount, Amount Max, Höchstbetrag, Maximalbetrag, Betrag bis, Betrag max",
	ColumnAmountSequence: "Amount List, Amounts List, Betragsfolge, Betragsliste",
	ColumnCurrency:       "Currency Code, Curr, Währung, Währungscode, Währungskürzel",
	ColumnCountry:        "Country Code, Country ISO, Land, Ländercode, Länderkürzel, Landeskürzel, Länderkennzeichen",
	ColumnCity:           "Town, Ort, Stadt, Wohnort",
	ColumnZipCode:        "ZIP, Postcode, Postal Code, ZIP Postal Code, PLZ, Postleitzahl",
	ColumnAddress1: "Address, Street, Street Address, Address Line 1, Street and Number, " +
		"Adresse, Anschrift, Straße, Straße Nr, Straße Hausnummer, Straße und Hausnummer",
	ColumnFirstName:         "Given Name, Forename, Vorname",
	ColumnLastName:          "Surname, Family Name, Nachname, Familienname, Zuname",
	ColumnEmail:             "Email Address, Mail, Mail Address, Email Adresse, Mailadresse",
	ColumnPeriod:            "Frequency, Billing Period, Billing Cycle, Recurrence, Periode, Turnus, Rhythmus, Zahlungsrhythmus, Abrechnungszeitraum, Häufigkeit, Intervall",
	ColumnInterval:          "Every, Interval Count, Intervall, Alle",
	ColumnOrderDesc:         "Description, Order Description, Beschreibung, Bestellbeschreibung, Bezeichnung",
	ColumnCustomerIP:        "IP, IP Address, Client IP, Customer IP Address, IP Adresse, Kunden IP",
	ColumnSSN:               "Social Security Number, Sozialversicherungsnummer",
	ColumnBirthday:          "Birth Date, Date of Birth, DOB, Geburtsdatum, Geburtstag",
	ColumnPhone:             "Phone Number, Telephone, Telephone Number, Tel, Mobile, Mobile Number, Cell Phone, Telefon, Telefonnr, Telefonnummer, Mobil, Mobiltelefon, Handy, Handynummer",
	ColumnState:             "State Code, Province, Region, Bundesland, Bundesstaat, Provinz",
	ColumnStartDate:         "Start, First Charge, First Charge Date, First Payment, Begin, Begin Date, Startdatum, Beginn, Vertragsbeginn, Erste Abbuchung, Erste Zahlung",
	ColumnFinishDate:        "End, End Date, Last Charge, Last Charge Date, Last Payment, Enddatum, Ende, Vertragsende, Letzte Abbuchung, Letzte Zahlung",
	ColumnMaxRepeatsNumber:  "Max Repeats, Repeats, Max Charges, Number of Charges, Number of Payments, Wiederholungen, Anzahl Abbuchungen, Anzahl Zahlungen",
	ColumnPurpose:           "Reason, Payment Purpose, Zweck, Verwendungszweck, Zahlungszweck",
	ColumnNotifyURL:         "Notification URL",
	ColumnServerCallbackURL: "Callback, Callback URL",
}

// longestHeaderName is how many bytes of a name are compared: a longer one is not that of a column.
const longestHeaderName = 64

// nameKey is a name without what is not compared: case, _, -, white space, and what cannot be seen.
func nameKey(name string) string {
	if len(name) > longestHeaderName {
		return ""
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || isUnseen(r):
		case 'A' <= r && r <= 'Z':
			b.WriteRune(r + 'a' - 'A')
		case r == 0x308: // two points above the letter before
			b.WriteByte('e')
		case umlauts[r] != "":
			b.WriteString(umlauts[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var umlauts = map[rune]string{'ä': "ae", 'Ä': "ae", 'ö': "oe", 'Ö': "oe", 'ü': "ue", 'Ü': "ue", 'ß': "ss", 'ẞ': "ss"}

// aliasKey is nameKey without points.
func aliasKey(name string) string { return strings.ReplaceAll(nameKey(name), ".", "") }

// nameKeys has the column of each key of a column's name, aliasKeys the columns of each key of an alias.
var (
	nameKeys = func() map[string]Column {
		keys := map[string]Column{}
		for s := range Columns() {
			keys[nameKey(s.Name)] = s.Column
		}
		return keys
	}()
	aliasKeys = func() map[string][]Column {
		keys := map[string][]Column{}
		for alias, c := range Aliases() {
			if key := aliasKey(alias); !slices.Contains(keys[key], c) {
				keys[key] = append(keys[key], c)
			}
		}
		return keys
	}()
)
