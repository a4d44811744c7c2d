package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// The bill of materials of a binary, in the JSON of CycloneDX 1.6.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	PURL     string           `json:"purl,omitempty"`
	Licences []licenceOfBill  `json:"licenses"`
	Hashes   []hashOfBill     `json:"hashes,omitempty"`
	Facts    []propertyOfBill `json:"properties,omitempty"`
}

type licenceOfBill struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type hashOfBill struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type propertyOfBill struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// materials says what the program for t, whose bytes are binary and whose module is self, is made of.
func materials(p program, self part, t target, binary []byte, at time.Time, parts []part) ([]byte, error) {
	sum := sha256.Sum256(binary)
	purl := "pkg:golang/" + self.path + "@" + self.version
	made := component{
		Type: "application", Ref: purl, Name: p.name, Version: self.version, PURL: purl,
		Licences: licencesOf(self.id),
		Hashes:   []hashOfBill{{"SHA-256", hex.EncodeToString(sum[:])}},
		Facts:    []propertyOfBill{{"os", t.os}, {"arch", t.arch}},
	}
	b := bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{at.Format(time.RFC3339), made},
	}
	needs := dependency{Ref: purl}
	for _, part := range parts {
		purl := "pkg:golang/" + part.path + "@" + part.version
		b.Components = append(b.Components, component{
			Type: "library", Ref: purl, Name: part.path, Version: part.version, PURL: purl, Licences: licencesOf(part.id),
		})
		needs.DependsOn = append(needs.DependsOn, purl)
	}
	b.Dependencies = []dependency{needs}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}

func licencesOf(id string) []licenceOfBill {
	var l licenceOfBill
	l.Licence.ID = id
	return []licenceOfBill{l}
}
