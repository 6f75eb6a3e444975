//go:build tools

// Package tools pins KUDO's manager: nothing is compiled from here.
package tools

import _ "github.com/kudobuilder/kudo/cmd/manager"
