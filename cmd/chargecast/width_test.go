package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

// runAt runs a command as on terminals with so many columns; 0 for a file or a pipe.
func runAt(columns int, args ...string) (stdout, stderr string) {
	var out, messages bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &messages)
	a.columns, a.log.columns = columns, columns
	root := newRoot(a, args)
	root.SetArgs(args)
	a.finish(root.Execute())
	_ = a.out.flush()
	return out.String(), messages.String()
}

// payloadsForWidth writes files whose values are wide, and returns their directory.
func payloadsForWidth(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"secret": "s3cret",
		"script": `{"date":"2026-02-12","do":"stop"}` + "\n" + `{"date":"2026-02-13","do":"resume","via":"ui"}` + "\n" +
			`{"date":"2026-02-14","do":"update","set":{"amount":"1"}}` + "\n" + `{"repeat":1,"outcome":"declined"}` + "\n",
		"script-with-an-unknown-word": `{"date":"2026-02-12","do":"stopp"}` + "\n",
	}
	header := `"rp_card_type";"client-orderid";"order_desc";"credit-card-number";"card-printed-name";"expire-month";"expire-year";"amount";"amount-from";"amount-to";"currency";"address1";"city";"zip-code";"country";"phone";"email";"customer-ip";"first-name";"last-name";"period";"interval";"start-date"` + "\n"
	row := func(id, amounts, currency, date string) string {
		return `"SRC";"` + id + `";"x";"4111111111111111";"A B";"12";"2026";` + amounts + `;"` + currency + `";"Street 1";"Town";"1000";"DE";"+491";"a@example.com";"192.0.2.1";"A";"B";"month";"1";"` + date + `"` + "\n"
	}
	files["good.csv"] = header + row("order-1", `"10.00";"";""`, "EUR", "31.01.2026") +
		row(strings.Repeat("0123456789", 12), `"9999999.99";"";""`, "EUR", "31.01.2026") +
		row("注文", `"";"1.00";"8888888.00"`, "USD", "28.02.2026") +
		row(strings.Repeat("注文", 20), `"";"1.00";"8888888.00"`, "USD", "27.02.2026") +
		row("gym", `"";"1.00";"5.00"`, "CHF", "30.01.2026")
	files["other.csv"] = strings.ReplaceAll(strings.ReplaceAll(files["good.csv"], "28.02.2026", "27.02.2026"), "9999999.99", "1234567.10")
	var bad strings.Builder
	bad.WriteString(header)
	for i := range 40 {
		bad.WriteString(row("order-"+strconv.Itoa(i)+strings.Repeat("注", i), `"10,50";"";""`, "eur", "2026-01-31"))
	}
	files["bad.csv"] = bad.String()
	files["several-causes-in-one-file-with-a-long-name.csv"] = strings.ReplaceAll(bad.String(), ";", ",") + "\x00\xff\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	request := []string{"sign", "--url", "http://gate.example.com/p/77", "--payload", dir + "/good.csv", "--consumer-key", "m", "--nonce", "n1", "--timestamp", "1767225600", "--secret-file", dir + "/secret"}
	authorization, _ := runAt(0, request...)
	body, _ := runAt(0, "payload", "encode", dir+"/good.csv")
	for name, path := range map[string]string{"good.http": "77", "bad.http": "78"} {
		text := "POST http://gate.example.com/p/" + path + " HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n" + strings.TrimSpace(authorization) + "\r\n\r\n" + body
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// commandsForWidth are commands whose text people read, with D for the directory of the files.
var commandsForWidth = [...]string{
	"forecast --as-of 2026-01-10 --until 2026-12-31 D/good.csv",
	"forecast --as-of 2026-01-10 --until 2026-12-31 --explain D/good.csv D/other.csv",
	"forecast --as-of 2026-01-10 --until 2026-12-31 --by month --quantiles 5,95 D/good.csv",
	"forecast --as-of 2026-01-10 --until 2026-12-31 --by profile D/good.csv",
	"forecast --as-of 2026-01-10 --until 2026-12-31 --by weekday D/good.csv",
	"forecast --as-of 2026-01-10 --until 2026-12-31 D/bad.csv",
	"forecast --as-of 2026-01-10 --next 2 --policy month-end=skip D/good.csv",
	"simulate --as-of 2026-01-10 --until 2026-05-31 --script D/script --seed 7 D/good.csv",
	"simulate --as-of 2026-01-10 --until 2026-05-31 --script D/script-with-an-unknown-word --seed 7 D/good.csv",
	"why --as-of 2026-01-10 --profile order-1 --on 2026-02-28 D/good.csv",
	"why --as-of 2026-01-10 --profile order-1 --on 2026-03-01 D/good.csv",
	"why --as-of 2026-01-10 --profile gym --on 2026-02-28 D/good.csv",
	"why --as-of 2026-01-10 --profile 注文 --on 2026-02-28 D/good.csv",
	"diff --as-of 2026-01-10 --until 2026-12-31 D/good.csv D/other.csv",
	"diff --as-of 2026-01-10 --until 2026-12-31 --summary D/good.csv D/other.csv",
	"diff --as-of 2026-01-10 --until 2026-12-31 --old-policy month-end=clamp --new-policy month-end=skip D/good.csv",
	"assumptions", "explain month-end", "assumptions --as-of 2026-01-10 --until 2026-12-31 --compare D/good.csv",
	"explain", "explain column-unknown", "explain 2.2.6", "explain L16b", "explain month-end", "explain plus-for-space", "explain nothing-like-this",
	"validate --as-of 2026-01-10 D/good.csv", "validate --as-of 2026-01-10 D/bad.csv",
	"validate --as-of 2026-01-10 D/several-causes-in-one-file-with-a-long-name.csv",
	"payload fix D/several-causes-in-one-file-with-a-long-name.csv", "payload fix D/bad.csv",
	"check D/bad.http --as-of 2026-01-10 --secret-file D/secret", "check D/good.csv --secret-file D/secret",
	"check D/good.http --as-of 2026-01-10 --secret-file D/secret", "check D/bad.http --as-of 2026-01-10", "check D/bad.http --base-string D/secret --secret-file D/secret",
	"check D/bad.http --only signature --secret-file D/secret", "sign", "sign --url https://h.example/p --payload D/good.csv",
	"version", "forecast --untill 2026-12-31 D/good.csv", "forecast D/a-file-that-nobody-has-written-yet.csv",
	"forecast --policy month-end=never --until 2026-12-31 D/good.csv",
}

// TestTextFitsTheTerminal: no line that people read is wider than the terminal, and no text is lost in
// making it so.
func TestTextFitsTheTerminal(t *testing.T) {
	dir := payloadsForWidth(t)
	commands := helpOfEveryCommand()
	for _, command := range commandsForWidth {
		commands = append(commands, strings.Fields(strings.ReplaceAll(command, "D/", dir+"/")))
	}
	for _, args := range commands {
		name := strings.ReplaceAll(strings.Join(args, " "), dir, "D")
		wantOut, wantMessages := runAt(0, args...)
		isTable := strings.Contains(name, "--until 2026") && !strings.Contains(name, "diff") || strings.Contains(name, "--next")
		if isTable {
			wantOut, wantMessages = runAt(1000, args...)
		}
		widths := []int{72, 80, 200, 79, 120}
		for _, columns := range widths[:inGate(3, 5)] {
			out, messages := runAt(columns, args...)
			if !strings.HasPrefix(name, "payload fix") || strings.HasSuffix(name, "--list") { // whose output is data
				fitsColumns(t, name, out, columns)
			}
			fitsColumns(t, name, messages, columns)
			if strings.HasPrefix(name, "help") {
				continue // its table of flags is arranged by another package
			}
			if bare(messages) != bare(wantMessages) {
				t.Errorf("%s at %d columns has other messages:\n%s\nwithout a terminal:\n%s", name, columns, messages, wantMessages)
			}
			same := bare(out) == bare(wantOut)
			if isTable {
				same = numbers(out) == numbers(wantOut)
			}
			if !same {
				t.Errorf("%s at %d columns has another text:\n%s\nwithout a terminal:\n%s", name, columns, out, wantOut)
			}
		}
	}
}

// TestCommandsForWidth: every command of the list exists. Six of them had gone, and their errors fit any terminal.
func TestCommandsForWidth(t *testing.T) {
	dir := payloadsForWidth(t)
	for _, command := range commandsForWidth {
		_, messages := runAt(0, strings.Fields(strings.ReplaceAll(command, "D/", dir+"/"))...)
		if strings.Contains(messages, "unknown command") || strings.Contains(messages, "unknown flag") && !strings.Contains(command, "untill") ||
			strings.Contains(messages, "no such key") {
			t.Errorf("%s: %s", command, messages)
		}
	}
}

func helpOfEveryCommand() (list [][]string) {
	program.ForAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)), nil), func(c *cobra.Command) {
		list = append(list, append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...))
	})
	return list
}

func fitsColumns(t *testing.T, name, text string, columns int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "Next: ") { // a command to paste stays in one line
			continue
		}
		if n := termtext.Cells(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("%s at %d columns: %d: %s", name, columns, n, line)
		}
	}
}

var excerptLines = regexp.MustCompile(`(?m)^ +\d* ?\|.*\n`)

// bare is a text without spaces and line ends, and without the excerpts, which show what there is room for.
func bare(text string) string {
	return strings.Join(strings.Fields(excerptLines.ReplaceAllString(text, "")), "")
}

var dateOrAmount = regexp.MustCompile(`\d{4}-\d\d-\d\d|\d+\.\d+`)

// numbers are the dates and amounts of a text, in its order.
func numbers(text string) string {
	return strings.Join(dateOrAmount.FindAllString(text, -1), " ")
}
