package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// doneTexts say what an action did, by its name in the query of the page that follows.
var doneTexts = map[string]string{
	"stop":   "The profile was stopped.",
	"charge": "The profile was charged.",
	"resume": "The profile was resumed.",
	"update": "The profile was updated.",
	"resend": "The callback will be sent again.",

	"added": "It was added.", "removed": "It was removed.", "saved": "The merchant was saved.",
	"restored": "The snapshot was restored.", "reset": "Everything that was chosen was dropped.",
}

// doneText is the sentence for a query. Nothing of the query itself is shown but numbers.
func doneText(q url.Values) string {
	if q.Get("done") != "clock" {
		return doneTexts[q.Get("done")]
	}
	count := func(name, one, many string) string {
		n, err := strconv.ParseUint(q.Get(name), 10, 63)
		if err != nil {
			return "0 " + many
		}
		return counted(n, one, many)
	}
	return "The clock was moved: " + count("charges", "charge", "charges") + ", " + count("stops", "stop", "stops") + ", " +
		count("callbacks", "callback", "callbacks") + "."
}

// counted is "1 charge" or "2 charges".
func counted(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatUint(n, 10) + " " + many
}

// event applies an event to the profile of the path, and goes back to its page.
func (v *pageRequest) event(name string, record any) (string, error) {
	if err := v.post("profiles/"+v.id+"/"+name, record, new(struct{})); err != nil {
		return "", err
	}
	return prefix + "profiles/" + v.id + "?done=" + name, nil
}

func (v *pageRequest) stop() (string, error)   { return v.event("stop", struct{}{}) }
func (v *pageRequest) charge() (string, error) { return v.event("charge", struct{}{}) }

// resume is the action of the page of the document (2.2.9).
func (v *pageRequest) resume() (string, error) {
	return v.event("resume", map[string]string{"via": "ui"})
}

// update sends the columns whose values are others than those that the form showed; an empty one
// removes that of the profile.
func (v *pageRequest) update() (string, error) {
	set := map[string]string{}
	for _, column := range settable {
		now := strings.TrimSpace(v.form.Get(column))
		if v.form.Has(column) && now != v.form.Get("was-"+column) {
			set[column] = now
		}
	}
	if len(set) == 0 {
		return "", &problem{Status: http.StatusBadRequest, Title: "no value was changed, so nothing was done", Detail: "change a value, or empty it to remove it"}
	}
	return v.event("update", map[string]any{"set": set})
}

func (v *pageRequest) resend() (string, error) {
	if err := v.post("callbacks/"+v.id+"/resend", struct{}{}, new(struct{})); err != nil {
		return "", err
	}
	return v.back() + "?done=resend", nil
}

// typed collects what a form says under these names; empty values are left out.
func (v *pageRequest) typed(names ...string) map[string]any {
	record := map[string]any{}
	for _, name := range names {
		if value := strings.TrimSpace(v.form.Get(name)); value != "" {
			record[name] = value
		}
	}
	return record
}

// numbers adds whole numbers; a text that is not a number is an error with the name of its field.
func (v *pageRequest) numbers(record map[string]any, names ...string) error {
	for _, name := range names {
		text := strings.TrimSpace(v.form.Get(name))
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return &problem{Status: http.StatusBadRequest, Field: name, Title: "the value is not a whole number", Detail: "write digits"}
		}
		record[name] = n
	}
	return nil
}

// added posts a record, and goes to its list.
func (v *pageRequest) added(name string, record any) (string, error) {
	if err := v.post(name, record, new(struct{})); err != nil {
		return "", err
	}
	return prefix + name + "?done=added", nil
}

// removing deletes the record of the path, or that of the login in the form, and goes to its list.
func removing(name string) func(*pageRequest) (string, error) {
	return func(v *pageRequest) (string, error) {
		id := v.id
		if id == "" {
			id = url.PathEscape(v.form.Get("login"))
		}
		if _, err := v.ask(http.MethodDelete, name+"/"+id, nil); err != nil {
			return "", err
		}
		return prefix + name + "?done=removed", nil
	}
}
