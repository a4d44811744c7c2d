package response_test

import (
	"fmt"

	"github.com/chargecast/chargecast/gateway/response"
)

// Was the request accepted?
func ExampleParse() {
	r, err := response.Parse(200, []byte("type=validation-error\n&error-message=no\n&error-code=200\n"))
	fmt.Println(r.Outcome, r.ErrorMessage, err)
	r, err = response.Parse(403, nil)
	fmt.Println(r.Outcome, err)
	// Output:
	// rejected no <nil>
	// rejected <nil>
}
