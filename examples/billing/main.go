// Billing is a daily billing job that keeps its profiles in a database.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	_ "modernc.org/sqlite"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/engine/sqlvalue"
)

// readings are the default ones. A profile remembers under which it was made, and an engine with others
// refuses it.
var readings = engine.New(engine.Policy{})

func main() {
	path, today := flag.String("db", "billing.db", "database"), flag.String("today", "", "day to run, such as 2026-01-31")
	flag.Parse()
	if err := run(os.Stdout, *path, *today); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, path, today string) error {
	day, err := calendar.Parse(today)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	s := store{db}
	if err := s.create(day); err != nil {
		return err
	}
	return s.charge(w, day)
}

// A store keeps each profile with its state as one JSON text.
type store struct{ db *sql.DB }

// create makes the table and, the first time, a profile that is created on the given day.
func (s store) create(day calendar.Date) error {
	_, err := s.db.Exec(`CREATE TABLE IF NOT EXISTS profiles (id TEXT PRIMARY KEY, stored TEXT NOT NULL)`)
	if err != nil {
		return err
	}
	rent, err := readings.Create(engine.Profile{
		ID: "rent-31", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("850.00")), Currency: "EUR",
	}, day)
	if err != nil {
		return err
	}
	return save(s.db.Exec, `INSERT INTO profiles (stored, id) VALUES (?, ?) ON CONFLICT DO NOTHING`, rent)
}

// save writes a profile by a statement that takes its text and id.
func save(exec func(string, ...any) (sql.Result, error), statement string, p engine.Stored) error {
	_, err := exec(statement, sqlvalue.Of(&p), p.Profile.ID)
	return err
}

// charge runs every profile up to a day, in one transaction: a run that fails half-way has changed nothing.
func (s store) charge(w io.Writer, day calendar.Date) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing once it is committed
	profiles, err := load(tx)
	if err != nil {
		return err
	}
	for _, p := range profiles {
		after, effects, err := readings.Advance(p, day)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Profile.ID, err)
		}
		for _, e := range effects {
			if e.Kind == engine.EffectCharge { // hand it on here, with id and key as its own key: a failed run is done again
				fmt.Fprintln(w, p.Profile.ID, e.Charge.Key(), e.Charge.Min, p.Profile.Currency, "repeat", e.Charge.Repeat)
			}
		}
		if err := save(tx.Exec, `UPDATE profiles SET stored = ? WHERE id = ?`, after); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// load reads all profiles.
func load(tx *sql.Tx) ([]engine.Stored, error) {
	var profiles []engine.Stored
	rows, err := tx.Query(`SELECT stored FROM profiles ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p engine.Stored
		if err := rows.Scan(sqlvalue.Of(&p)); err != nil {
			return nil, err
		}
		profiles = append(profiles, p)
	}
	return profiles, rows.Err()
}
