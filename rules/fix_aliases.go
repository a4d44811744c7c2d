package rules

import (
	"iter"
	"slices"
	"strings"
)

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
