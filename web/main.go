// Web makes the page that runs the engine in a browser: one HTML file with everything in it.
//
//	go run -C web . --out chargecast.html
//	go run -C web . --serve
//
// The same source and toolchain give the same bytes. --out is a path from this directory.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	out := flag.String("out", "", "write the page to this `FILE`")
	serve := flag.Bool("serve", false, "show the page on a loopback address until interrupted")
	address := flag.String("address", "127.0.0.1:0", "with --serve, the loopback `ADDRESS`; port 0 is any that is free")
	flag.Parse()
	if err := run(*out, *serve, *address); err != nil {
		fmt.Fprintln(os.Stderr, "web: "+err.Error())
		os.Exit(1)
	}
}

var errNothing = errors.New("nothing to do: give --out FILE or --serve")

func run(out string, serve bool, address string) error {
	if out == "" && !serve || flag.NArg() > 0 {
		return errNothing
	}
	page, err := Page()
	if err != nil {
		return err
	}
	if out != "" {
		if err := os.WriteFile(out, page, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d bytes\n", out, len(page))
	}
	if !serve {
		return nil
	}
	return show(page, address)
}

// show serves the page, and nothing else, to this machine.
func show(page []byte, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return errors.New("--address must be a loopback address, such as 127.0.0.1:8080")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "http://%s/ until interrupted\n", listener.Addr())
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page))
	})}
	return server.Serve(listener)
}
