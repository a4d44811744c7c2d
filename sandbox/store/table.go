package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"unicode/utf8"

	"modernc.org/sqlite"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
)

// A table is the records of one kind in a transaction.
type table[T gateway.Keyed] struct {
	*tx
	kind string // a name of a table: nothing that comes from outside
}

func notFound() error {
	return finding(gateway.NotFound, "no such record", "list the records for their ids")
}

func (t table[T]) NextID() (gateway.ID, error) {
	if err := t.writable(); err != nil {
		return 0, err
	}
	id, err := t.last(t.kind)
	if err != nil {
		return 0, err
	}
	t.setLast(t.kind, id+1)
	return id + 1, nil
}

func (t table[T]) Get(id gateway.ID) (v T, err error) {
	var record []byte
	ok, err := t.one("SELECT record FROM "+t.kind+" WHERE id = ?", []any{int64(id)}, &record)
	if err != nil {
		return v, err
	}
	if !ok {
		return v, notFound()
	}
	return v, decode(record, &v)
}

func (t table[T]) Put(v T) error {
	if err := t.writable(); err != nil {
		return err
	}
	record, err := encode(&v)
	if err != nil {
		return finding(gateway.StoreFailed, "a record cannot be written", "report this: it is a fault of chargecast")
	}
	k := v.Key()
	_, err = t.exec("INSERT OR REPLACE INTO "+t.kind+" (id, "+columns+") VALUES (?, ?, ?, ?, ?, ?, ?)",
		int64(k.ID), k.Login, int64(k.Profile), k.Status, k.Text, dayOrNull(k.Due), record)
	if err != nil {
		return err
	}
	last, err := t.last(t.kind)
	if err == nil && k.ID > last {
		t.setLast(t.kind, k.ID)
	}
	return err
}

// dayOrNull is how a day is kept: as text in which days have their order.
func dayOrNull(d calendar.Date) any {
	if d.IsZero() {
		return nil
	}
	return d.String()
}

func (t table[T]) Delete(id gateway.ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	n, err := t.exec("DELETE FROM "+t.kind+" WHERE id = ?", int64(id))
	if err == nil && n == 0 {
		return notFound()
	}
	return err
}

// SQLite knows the case of ASCII letters alone: for others it asks the gateway.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("has_text", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		text, _ := args[0].(string)
		part, _ := args[1].(string)
		return gateway.Query{Search: part}.Selects(gateway.Key{Text: text}), nil
	})
}

func (t table[T]) List(q gateway.Query) ([]T, error) {
	var where []string
	var args []any
	add := func(wanted bool, condition string, values ...any) {
		if wanted {
			where = append(where, condition)
			args = append(args, values...)
		}
	}
	add(q.Login != "", "login = ?", q.Login)
	add(q.Profile != 0, "profile = ?", int64(q.Profile))
	add(q.Status != "", "status = ?", q.Status)
	if isASCII := !strings.ContainsFunc(q.Search, func(r rune) bool { return r >= utf8.RuneSelf }); isASCII {
		add(q.Search != "", "(instr(lower(text), lower(?)) > 0 OR CAST(id AS TEXT) = ?)", q.Search, q.Search)
	} else {
		add(true, "has_text(text, ?)", q.Search)
	}
	order := "DESC"
	if q.OldestFirst {
		order = "ASC"
		add(q.Past != 0, "id > ?", int64(q.Past))
	} else {
		add(q.Past != 0, "id < ?", int64(q.Past))
	}
	query := "SELECT record FROM " + t.kind
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	query += " ORDER BY id " + order
	if q.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, q.Limit)
	}
	return t.read(query, args)
}

// read returns the records of a query. It reads all of them before it returns, so that the
// transaction can go on with something else.
func (t table[T]) read(query string, args []any) (list []T, err error) {
	stmt, err := t.stmts.of(t.ctx, query)
	if err != nil {
		return nil, failed(err)
	}
	rows, err := stmt.QueryContext(t.ctx, args...)
	if err != nil {
		return nil, failed(err)
	}
	defer func() {
		if closed := rows.Close(); closed != nil {
			err = errors.Join(err, failed(closed))
		}
	}()
	for rows.Next() {
		var record sql.RawBytes // of no use after the next row
		if err := rows.Scan(&record); err != nil {
			return nil, failed(err)
		}
		var v T
		if err := decode(record, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, failed(rows.Err())
}

// profiles are the profiles in a transaction, with the days on which they are due.
type profiles struct{ table[gateway.Profile] }

func (t profiles) NextDue() (calendar.Date, error) {
	var text string
	ok, err := t.one("SELECT due FROM profiles WHERE due IS NOT NULL ORDER BY due LIMIT 1", nil, &text)
	if err != nil || !ok {
		return calendar.Date{}, err
	}
	day, err := calendar.Parse(text)
	if err != nil {
		return calendar.Date{}, undecodable()
	}
	return day, nil
}

func (t profiles) Due(day calendar.Date, after gateway.ID, limit int) ([]gateway.Profile, error) {
	return t.read("SELECT record FROM profiles WHERE due = ? AND due IS NOT NULL AND id > ? ORDER BY id LIMIT ?", []any{dayOrNull(day), int64(after), limit})
}
