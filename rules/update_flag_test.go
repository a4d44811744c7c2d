package rules

import "flag"

var update = flag.Bool("update", false, "rewrite the generated pages")
