package builder

import (
	"fmt"
	"strings"
)

// budgeted is the version of Go whose programs have to keep to their budgets: others write other code.
const budgeted = "go1.26"

// What a visitor may be asked to wait for, in bytes after gzip: the page,
// style and scripts of a first visit, and the program that comes after them.
const (
	FirstLoadBudget = 130_000
	WasmBudget      = 1_400_000
	// WholeBudget is for the program that comes when something asks for it.
	WholeBudget = 2_700_000
	// MethodsBudget is for the one that comes when a method is chosen that CaDeM is compared with.
	MethodsBudget = 2_100_000
)

// FirstLoadSize returns what a first visit loads before the program, after gzip.
func (s *Site) FirstLoadSize() int {
	sum := 0
	for _, name := range s.FirstLoad {
		sum += s.Sizes[name].Gzip
	}
	return sum
}

// WasmSize returns what the program of a first visit weighs after gzip.
func (s *Site) WasmSize() int { return s.Sizes[s.WasmGz].Bytes }

// WholeSize returns what the whole program weighs after gzip.
func (s *Site) WholeSize() int { return s.Sizes[s.WholeGz].Bytes }

// MethodsSize returns what the program of the other methods weighs after gzip.
func (s *Site) MethodsSize() int { return s.Sizes[s.MethodsGz].Bytes }

// Report sets the sizes beside their budgets, for people.
func (s *Site) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s\n", s.Version)
	fmt.Fprintf(&b, "first load without wasm %8.1f kB gzip (budget %.0f kB)\n", float64(s.FirstLoadSize())/1e3, FirstLoadBudget/1e3)
	for _, name := range s.FirstLoad {
		fmt.Fprintf(&b, "    %-36s%8.1f kB\n", name, float64(s.Sizes[name].Gzip)/1e3)
	}
	fmt.Fprintf(&b, "wasm                    %8.1f kB gzip (budget %.0f kB)\n", float64(s.WasmSize())/1e3, WasmBudget/1e3)
	fmt.Fprintf(&b, "wasm, when asked for    %8.1f kB gzip (budget %.0f kB)\n", float64(s.WholeSize())/1e3, WholeBudget/1e3)
	fmt.Fprintf(&b, "wasm of other methods   %8.1f kB gzip (budget %.0f kB)\n", float64(s.MethodsSize())/1e3, MethodsBudget/1e3)
	return b.String()
}

// Binding tells whether the budgets hold for the version of Go that compiled the site.
func (s *Site) Binding() bool { return strings.HasPrefix(s.Go+".", budgeted+".") }

// Check returns an error that names each size over its budget.
func (s *Site) Check() error {
	var over []string
	if n := s.FirstLoadSize(); n > FirstLoadBudget {
		over = append(over, fmt.Sprintf("the first load without wasm is %d bytes after gzip (budget %d)", n, FirstLoadBudget))
	}
	if n := s.WasmSize(); n > WasmBudget {
		over = append(over, fmt.Sprintf("wasm is %d bytes after gzip (budget %d)", n, WasmBudget))
	}
	if n := s.WholeSize(); n > WholeBudget {
		over = append(over, fmt.Sprintf("the whole program is %d bytes after gzip (budget %d)", n, WholeBudget))
	}
	if n := s.MethodsSize(); n > MethodsBudget {
		over = append(over, fmt.Sprintf("the program of other methods is %d bytes after gzip (budget %d)", n, MethodsBudget))
	}
	if over != nil {
		return fmt.Errorf("over budget: %s", strings.Join(over, "; "))
	}
	return nil
}
