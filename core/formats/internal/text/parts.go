package text

import (
	"path"
	"strings"

	"cadem/core/formats/internal/input"
)

// partWords are what the parts of one list are called that was split for training and tests.
var partWords = []string{"train", "training", "valid", "validation", "val", "dev", "test", "testing"}

// partOf returns the name of a file without the word that says which part of a list it is; false if there is
// none.
func partOf(file string) (rest string, ok bool) {
	stem := strings.ToLower(input.Stem(file))
	words := strings.FieldsFunc(stem, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	var others []string
	for _, word := range words {
		is := false
		for _, part := range partWords {
			is = is || word == part
		}
		if ok = ok || is; !is {
			others = append(others, word)
		}
	}
	return path.Join(path.Dir(strings.ReplaceAll(file, `\`, "/")), strings.Join(others, "_")), ok
}

// parts returns for each list the first of those that it is a part of one list with, or itself.
func parts(lists []*edgeFile) (of []int, joined [][]string) {
	first := map[string]int{}
	at := map[int]int{}
	for k, f := range lists {
		rest, ok := partOf(f.file)
		if !ok {
			of = append(of, k)
			continue
		}
		i, again := first[rest]
		if !again {
			first[rest], i = k, k
		} else {
			if _, known := at[i]; !known {
				at[i] = len(joined)
				joined = append(joined, []string{lists[i].file})
			}
			joined[at[i]] = append(joined[at[i]], f.file)
		}
		of = append(of, i)
	}
	return of, joined
}
