//go:build tools

// Package tools pins the cf CLI: nothing is compiled from here.
package tools

import _ "code.cloudfoundry.org/cli/v8"
