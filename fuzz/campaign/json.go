package campaign

import (
	"bytes"
	"encoding/json"
	"time"
)

const reportSchema = "chargecast.campaign/1"

type jsonLaw struct {
	ID         string `json:"id"`
	Clause     string `json:"clause"`
	Cases      uint64 `json:"cases"`
	AllCases   uint64 `json:"all_cases"`
	Findings   int    `json:"findings"`
	PerMillion uint64 `json:"share_ppm"`
}

type jsonTarget struct {
	Name       string `json:"name"`
	Ran        bool   `json:"ran"`
	Inputs     uint64 `json:"inputs"`
	AllInputs  uint64 `json:"all_inputs"`
	PerSecond  uint64 `json:"inputs_per_second,omitempty"`
	Corpus     int    `json:"corpus"`
	New        int    `json:"new"`
	Findings   int    `json:"findings"`
	Incomplete string `json:"incomplete,omitempty"`
}

type jsonPair struct {
	A        string `json:"a"`
	B        string `json:"b"`
	Met      int    `json:"met"`
	Possible int    `json:"possible"`
}

type jsonFinding struct {
	ID      string `json:"id"`
	Law     string `json:"law,omitempty"`
	Clause  string `json:"clause,omitempty"`
	Target  string `json:"target,omitempty"`
	Token   string `json:"token,omitempty"`
	Verdict string `json:"verdict"`
	New     bool   `json:"new"`
	Message string `json:"message"`
	File    string `json:"file"`
	Stopped string `json:"shrink_stopped,omitempty"`
}

// AppendJSON appends the report as one JSON document.
func (r Report) AppendJSON(dst []byte) []byte {
	type grid struct {
		Series uint64 `json:"series"`
		All    uint64 `json:"all_series"`
		Whole  uint64 `json:"whole"`
	}
	out := struct {
		Schema      string        `json:"schema"`
		Seed        uint64        `json:"seed"`
		Campaign    int           `json:"campaign"`
		OK          bool          `json:"ok"`
		Interrupted bool          `json:"interrupted"`
		Millis      int64         `json:"milliseconds,omitempty"`
		Cases       uint64        `json:"cases"`
		PerSecond   uint64        `json:"cases_per_second,omitempty"`
		Laws        []jsonLaw     `json:"laws"`
		Incomplete  string        `json:"incomplete,omitempty"`
		Grid        *grid         `json:"grid,omitempty"`
		Pairs       []jsonPair    `json:"pairs"`
		Missed      []string      `json:"missed_classes"`
		Targets     []jsonTarget  `json:"targets"`
		NoEngine    string        `json:"no_engine,omitempty"`
		Findings    []jsonFinding `json:"findings"`
	}{
		Schema: reportSchema, Seed: r.Seed, Campaign: r.Campaigns, OK: r.OK(), Interrupted: r.Interrupted, Millis: r.Elapsed.Round(time.Millisecond).Milliseconds(),
		Cases: r.Cases(), PerSecond: perSecond(r.Cases(), r.LawTime), Laws: []jsonLaw{}, Incomplete: r.Incomplete, Pairs: []jsonPair{}, Missed: append([]string{}, r.Unmet...),
		Targets: []jsonTarget{}, NoEngine: r.NoEngine, Findings: []jsonFinding{},
	}
	for _, l := range r.Laws {
		out.Laws = append(out.Laws, jsonLaw{l.ID, l.Clause, l.Cases, l.All, l.Findings, l.Cases * 1_000_000 / max(out.Cases, 1)})
	}
	if r.Grid.Whole > 0 {
		out.Grid = &grid{r.Grid.Series, r.Grid.All, r.Grid.Whole}
	}
	for _, p := range r.Pairs {
		out.Pairs = append(out.Pairs, jsonPair(p))
	}
	for _, t := range r.Targets {
		out.Targets = append(out.Targets, jsonTarget{t.Name, t.Ran, t.Inputs, t.All, perSecond(t.Inputs, t.Elapsed), t.Corpus, t.New, t.Findings, t.Incomplete})
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, jsonFinding{f.ID, f.Law, f.Clause, f.Target, f.Token, f.Verdict, f.New, clean(f.summary()), f.file(), f.ShrinkStopped})
	}
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(out) // of strings and numbers alone
	return b.Bytes()
}
