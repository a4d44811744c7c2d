// Billing is a daily billing job that keeps its profiles and their charges in a database.
package main

import (
	"cmp"
	"database/sql"
	"errors"
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

// The default policy. The state of a profile remembers under which it was made, and an engine with
// another one refuses it.
var e = engine.New(engine.Policy{})

// seed draws the random amounts, the same for the same profile and repeat number, however often a
// job runs.
const seed = 2026

func main() {
	path := flag.String("db", "billing.db", "database")
	today := flag.String("today", "", "run the job of this day, such as 2026-01-31, or the day of -stop")
	stop := flag.String("stop", "", "stop a profile, by its id")
	key := flag.String("declined", "", "note that the bank declined a charge, ID=KEY, such as rent-31=2026-02-28")
	flag.Parse()
	if err := run(os.Stdout, *path, *today, *stop, *key); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, path, today, stop, declined string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	s := store{db}
	if declined != "" {
		return s.decline(declined)
	}
	day, err := calendar.Parse(today)
	if err != nil {
		return err
	}
	if err := s.create(day); err != nil {
		return err
	}
	return s.live(w, day, stop)
}

// A store keeps each profile with its state as one JSON text, and each charge under its key.
type store struct{ db *sql.DB }

// create makes the tables and, the first time, two profiles that are created on the given day.
func (s store) create(day calendar.Date) error {
	_, err := s.db.Exec(`
		CREATE TABLE IF NOT EXISTS profiles (id TEXT PRIMARY KEY, stored TEXT NOT NULL);
		CREATE TABLE IF NOT EXISTS charges (profile TEXT, key TEXT, day DATE, repeat INTEGER, amount TEXT, currency TEXT,
			outcome TEXT NOT NULL DEFAULT 'unknown', PRIMARY KEY (profile, key))`)
	if err != nil {
		return err
	}
	usage, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("9.99"), "EUR")
	if err != nil {
		return err
	}
	for _, p := range []engine.Profile{
		{ID: "rent-31", Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Amounts: amount.Fixed(amount.MustParse("850.00"))},
		{ID: "usage", Start: calendar.MustParse("2026-02-10"), Unit: calendar.UnitWeek, Amounts: usage},
	} {
		p.Kind, p.Interval, p.Currency = engine.KindSource, 1, "EUR"
		created, err := e.Create(p, day)
		if err != nil {
			return err
		}
		_, err = s.db.Exec(`INSERT INTO profiles (id, stored) VALUES (?, ?) ON CONFLICT DO NOTHING`, p.ID, sqlvalue.Of(&created))
		if err != nil {
			return err
		}
	}
	return nil
}

// live lets the days up to and including a day pass for every profile, or stops one on that day, in
// one transaction: a job that fails half-way has changed nothing, and one that is started twice
// charges nothing twice. After an outage of the job each charge is dated on its due day.
func (s store) live(w io.Writer, day calendar.Date, stop string) error {
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
		var effects []engine.Effect
		switch stop {
		case "":
			p, effects, err = e.Advance(p, day)
		case p.Profile.ID: // the runs up to the day before come first
			p, effects, err = e.Handle(p, engine.Event{Date: day, Kind: engine.EventStop})
		}
		if err == nil {
			err = keep(w, tx, p, effects)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.Profile.ID, err)
		}
	}
	return tx.Commit()
}

// keep writes the charges of a profile, each under its key, and then its state. Without a
// transaction this order is what counts: after a crash between the two, the same call gives the
// same charges, and their keys refuse them.
func keep(w io.Writer, tx *sql.Tx, p engine.Stored, effects []engine.Effect) error {
	draws := amount.NewSeed(seed, p.Profile.ID)
	for _, effect := range effects {
		switch c := effect.Charge; effect.Kind {
		case engine.EffectCharge:
			charged := c.Amount(draws)
			fmt.Fprintln(w, p.Profile.ID, c.Key(), charged, p.Profile.Currency, "repeat", c.Repeat)
			_, err := tx.Exec(`INSERT INTO charges (profile, key, day, repeat, amount, currency) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				p.Profile.ID, c.Key(), sqlvalue.Of(&c.Date), c.Repeat, sqlvalue.Of(&charged), p.Profile.Currency)
			if err != nil {
				return err
			}
		case engine.EffectStop:
			fmt.Fprintln(w, p.Profile.ID, "stopped on", effect.Date)
		}
	}
	_, err := tx.Exec(`UPDATE profiles SET stored = ? WHERE id = ?`, sqlvalue.Of(&p), p.Profile.ID)
	return err
}

// decline notes what the bank answered, days after the charge: it changes no later charge (2.2.7),
// and so the engine is not asked.
func (s store) decline(charge string) error {
	done, err := s.db.Exec(`UPDATE charges SET outcome = ? WHERE profile || '=' || key = ?`, engine.OutcomeDeclined.String(), charge)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, errors.New("no such charge: write ID=KEY as the job printed them"))
	}
	return nil
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
