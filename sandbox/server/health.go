package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/chargecast/chargecast/internal/program"
)

// healthTimeout is how long a server may take to answer.
const healthTimeout = 5 * time.Second

// healthy asks a server for /healthz. A container that has no other program checks itself with it.
func healthy(ctx context.Context, at string) error {
	u, err := url.Parse(at)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return usage("--health: must be the URL of a server, such as http://127.0.0.1:8043")
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("/healthz").String(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return program.Internal("no server answers at "+u.Host, "start it, or name the URL of its ready line")
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return program.Internal(fmt.Sprintf("the server answers /healthz with %d", resp.StatusCode), "see its log")
	}
	return nil
}
