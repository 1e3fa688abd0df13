package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Comments on arrays: their size, the index of an entry, or the meaning of one.
var saysShape = regexp.MustCompile(`\S x \S|\w\[[\w:]+|\bas many\b|\bper\b|\b(for|of|to|in|by) (each|every)\b|` +
	`\b(rows?|columns?|lengths?|long|coordinates|orthonormal|triangle|diagonal)\b|` +
	`\b(one|an?|\d|each|every)( \w+){0,3} (an?|for|per|each|every)\b|\b\w+ (numbers|values|entries|places)\b`)

// Comments on errors; that of a package, with "Errors", counts for all that it exports.
var (
	saysError   = regexp.MustCompile(`(?i)\berrors?\b|\bfails?\b|\brefuse[sd]?\b`)
	packageSays = regexp.MustCompile(`\bErrors\b|\berrors? that\b|by an error\b|\[\*diag\.Error\]|whose error\b`)
	saysPanic   = regexp.MustCompile(`\bpanic`)
)

// Numbers of these names have a unit, which the name or the comment gives.
var (
	measured = regexp.MustCompile(`(?i)(time|took|duration|elapsed|interval|memory|size|frequency|motion|displacement|distance|seconds?|bytes|lag)$|` +
		`^(TR|tr|[aA]ge)$`)
	saysUnit = regexp.MustCompile(`(?i)\b(seconds?|ms|milliseconds|minutes|hours|Hz|mm|bytes?|kB|MB|years|frames|hops|bits|share|` +
		`functions|graphs|nodes|numbers|regions|directions|elements)\b|seconds?$|bytes$|\bunit:"`)
)

// Every exported name of the core has a comment, which gives the shapes of arrays of numbers, says when an error is returned or a
// misuse panics, and names the unit of a quantity. A method's type may say it for the method, and a package its errors and panics.
// Error and String are what fmt says they are; the methods of an interface stand for those that implement it in its package, and its
// own comment for all that it lists; constants of a type, and lines of one group, share the comment above them.
func TestExportedNamesAreDocumented(t *testing.T) {
	folders := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata") {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], path)
		}
		return err
	})
	names := 0
	for _, files := range folders {
		d := documented{report: t.Errorf, set: token.NewFileSet(), types: map[string]string{}, listed: map[string]bool{}}
		d.read(t, files)
		for _, file := range d.files {
			for _, decl := range file.Decls {
				d.declaration(decl)
			}
		}
		names += d.names
	}
	if err != nil || names < 2500 {
		t.Errorf("%d names, error %v", names, err)
	}
}

// A rule that lets everything pass is none.
func TestUndocumentedNamesAreFound(t *testing.T) {
	const source = `// Package p says nothing.
package p

type T struct {
	X []float64 // of the layer
	Took float64
}

func Bare() {}

// Sum returns the sum of x.
func Sum(x []float64) float64 { return 0 }

// Read reads.
func Read() error { return nil }

// Check checks.
func (t *T) Check(n int) { panic(ErrShape) }

// Fit fits.
func (t *T) Fit(n int) { ErrShape.Unless(n > 0) }
`
	var found []string
	d := documented{set: token.NewFileSet(), types: map[string]string{}, listed: map[string]bool{}}
	d.report = func(_ string, arguments ...any) {
		found = append(found, arguments[1].(string)+": "+arguments[2].(string))
	}
	file, err := parser.ParseFile(d.set, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	d.files, d.comment = []*ast.File{file}, file.Doc.Text()
	for _, decl := range file.Decls {
		d.declaration(decl)
	}
	want := []string{"T: has no comment", "T.X: gives no shape", "T.Took: gives no unit", "Bare: has no comment", "Sum: gives no shape",
		"Read: does not say when an error is returned", "T.Check: does not say that it panics", "T.Fit: does not say that it panics"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, expected %q", found, want)
	}
}

// documented looks at the files of a package.
type documented struct {
	report  func(format string, arguments ...any)
	set     *token.FileSet
	files   []*ast.File
	comment string            // of the package
	types   map[string]string // comments of types
	listed  map[string]bool   // methods of its interfaces
	above   *ast.FuncDecl     // the one before, and what was said of it
	said    string
	names   int
}

func (d *documented) read(t *testing.T, paths []string) {
	for _, path := range paths {
		file, err := parser.ParseFile(d.set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name.Name == "main" { // go:generate's command
			continue
		}
		d.files, d.comment = append(d.files, file), d.comment+file.Doc.Text()
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range general.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					d.types[s.Name.Name] = general.Doc.Text() + s.Doc.Text()
					if i, ok := s.Type.(*ast.InterfaceType); ok {
						for _, m := range i.Methods.List {
							for _, name := range m.Names {
								d.listed[name.Name] = true
							}
						}
					}
				}
			}
		}
	}
}

// tell reports what the comment of a name lacks, if that is needed.
func (d *documented) tell(at ast.Node, name, lacks string, needed bool, says *regexp.Regexp, comments ...string) {
	if needed && !says.MatchString(strings.Join(strings.Fields(strings.Join(comments, " ")), " ")) {
		d.report("core/%s: %s %s", d.set.Position(at.Pos()), name, lacks)
	}
}

var anything = regexp.MustCompile(`\S`)

func (d *documented) declaration(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		d.function(decl)
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					d.names++
					comment := decl.Doc.Text() + s.Doc.Text() + s.Comment.Text()
					d.tell(s, s.Name.Name, "has no comment", true, anything, comment)
					d.members(s, comment)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && !d.elsewhere(decl, s) {
						d.names++
						d.tell(s, n.Name, "has no comment", true, anything, decl.Doc.Text(), s.Doc.Text(), s.Comment.Text())
					}
				}
			}
		}
	}
}

// elsewhere reports whether a value is of a kind that its type's comment speaks of, or is that of another package.
func (d *documented) elsewhere(decl *ast.GenDecl, s *ast.ValueSpec) bool {
	kind, _ := decl.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident)
	_, other := append(s.Values, nil)[0].(*ast.SelectorExpr)
	return other || decl.Tok == token.CONST && kind != nil && d.types[kind.Name] != ""
}

// members looks at the fields of a structure and the methods of an interface.
func (d *documented) members(s *ast.TypeSpec, comment string) {
	var list []*ast.Field
	silent := true
	switch x := s.Type.(type) {
	case *ast.StructType:
		list = x.Fields.List
	case *ast.InterfaceType:
		list = x.Methods.List
		silent = !slices.ContainsFunc(list, func(f *ast.Field) bool { return f.Doc != nil || f.Comment != nil })
	}
	for _, f := range list {
		for _, n := range f.Names {
			if !n.IsExported() {
				continue
			}
			d.names++
			name, own, tag := s.Name.Name+"."+n.Name, f.Doc.Text()+" "+f.Comment.Text(), ""
			if f.Tag != nil {
				tag = f.Tag.Value
			}
			d.tell(f, name, "has no comment", !silent, anything, own)
			shaped := numbers(f.Type, nil)
			if m, ok := f.Type.(*ast.FuncType); ok && len(list) > 0 && s.Type != nil {
				if _, ok := s.Type.(*ast.InterfaceType); ok {
					shaped = anyOf(m.Params, numbers, typeParams(s.TypeParams)) || anyOf(m.Results, numbers, typeParams(s.TypeParams))
					d.tell(f, name, "does not say when an error is returned", returnsError(m.Results), saysError, own, comment)
				}
			}
			d.tell(f, name, "gives no shape", shaped, saysShape, own, comment)
			d.tell(f, name, "gives no unit", measured.MatchString(n.Name) && quantity(f.Type, nil), saysUnit, n.Name, own, comment, tag)
		}
	}
}

func (d *documented) function(f *ast.FuncDecl) {
	above, said := d.above, d.said
	d.above, d.said = f, f.Doc.Text()
	line := func(p token.Pos) int { return d.set.Position(p).Line }
	if f.Doc == nil && above != nil && line(above.End())+1 == line(f.Pos()) && line(above.Pos()) == line(above.End()) {
		d.said = said
	}
	if !f.Name.IsExported() {
		return
	}
	name, of, params := f.Name.Name, "", typeParams(f.Type.TypeParams)
	if f.Recv != nil {
		receiver, more := receiverOf(f.Recv.List[0].Type)
		if !ast.IsExported(receiver) {
			return
		}
		if name == "Error" || name == "String" || f.Doc == nil && d.listed[name] {
			return
		}
		name, of, params = receiver+"."+name, d.types[receiver], more
	}
	d.names++
	d.tell(f, name, "has no comment", true, anything, d.said)
	if d.said == "" {
		return
	}
	d.tell(f, name, "gives no shape", anyOf(f.Type.Params, numbers, params) || anyOf(f.Type.Results, numbers, params), saysShape, d.said, of)
	if !packageSays.MatchString(strings.Join(strings.Fields(d.comment), " ")) {
		d.tell(f, name, "does not say when an error is returned", returnsError(f.Type.Results), saysError, d.said, of)
	}
	d.tell(f, name, "does not say that it panics", panics(f.Body), saysPanic, d.said, of, d.comment)
	if f.Type.Params != nil {
		for _, p := range f.Type.Params.List {
			for _, n := range p.Names {
				d.tell(f, name+", "+n.Name, "gives no unit", measured.MatchString(n.Name) && quantity(p.Type, params), saysUnit, n.Name, d.said, of)
			}
		}
	}
}

// receiverOf returns the type of a receiver and its type parameters.
func receiverOf(e ast.Expr) (string, []string) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverOf(e.X)
	case *ast.IndexExpr:
		name, _ := receiverOf(e.X)
		return name, []string{e.Index.(*ast.Ident).Name}
	case *ast.Ident:
		return e.Name, nil
	}
	return "", nil
}

func typeParams(fields *ast.FieldList) (list []string) {
	if fields != nil {
		for _, f := range fields.List {
			for _, n := range f.Names {
				list = append(list, n.Name)
			}
		}
	}
	return list
}

func anyOf(fields *ast.FieldList, is func(ast.Expr, []string) bool, params []string) bool {
	return fields != nil && slices.ContainsFunc(fields.List, func(f *ast.Field) bool { return is(f.Type, params) })
}

// quantity reports whether a type is a number.
func quantity(e ast.Expr, params []string) bool {
	i, ok := e.(*ast.Ident)
	return ok && (slices.Contains([]string{"int", "int64", "float32", "float64"}, i.Name) || slices.Contains(params, i.Name))
}

// numbers reports whether a type is a matrix or slices of floating-point numbers.
func numbers(e ast.Expr, params []string) bool {
	switch e := e.(type) {
	case *ast.ArrayType:
		i, ok := e.Elt.(*ast.Ident)
		return ok && e.Len == nil && (i.Name == "float32" || i.Name == "float64" || slices.Contains(params, i.Name)) || numbers(e.Elt, params)
	case *ast.Ellipsis:
		return numbers(e.Elt, params)
	case *ast.StarExpr:
		return numbers(e.X, params)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == "mat"
	}
	return false
}

func returnsError(fields *ast.FieldList) bool {
	if fields == nil || len(fields.List) == 0 {
		return false
	}
	i, ok := fields.List[len(fields.List)-1].Type.(*ast.Ident)
	return ok && i.Name == "error"
}

// panics reports whether a body panics with what is not an error that cannot come, which is called err.
func panics(body *ast.BlockStmt) (found bool) {
	if body == nil {
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if i, ok := c.Fun.(*ast.Ident); ok && i.Name == "panic" {
				x, ok := c.Args[0].(*ast.Ident)
				found = found || !ok || x.Name != "err"
			}
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Unless" { // of a diag.Misuse
				found = true
			}
		}
		return !found
	})
	return found
}
