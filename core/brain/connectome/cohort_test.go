package connectome

import (
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// readCohort reads a table of scans and makes a cohort of it.
func readCohort(f formats.File) (*collection.Cohort, error) {
	scans, err := readScans(f)
	if err != nil {
		return nil, err
	}
	return collection.NewCohort(f.Name, scans)
}

func TestReadCohort(t *testing.T) {
	c, err := readCohort(file("cohort.csv", "subject,condition,file,confounds\na,rest,a1.nii,a1.tsv\na,task,a2.nii,n/a\n"+
		"b,task,b2.nii,\nb,rest,b1.nii,\nc,rest,c1.nii,\n"))
	if err != nil {
		t.Fatal(err)
	}
	classes, subjects := c.Groups()
	if !slices.Equal(classes, []int{0, 1, 1, 0, 0}) || !slices.Equal(subjects, []int{0, 0, 1, 1, 2}) || c.Scans[0].Confounds != "a1.tsv" ||
		c.Scans[1].Confounds != "" {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{
		"subject,file\na,x\n": `cohort.csv: header: found "subject", "file", expected the ` +
			`columns subject, condition and file`,
		"subject,condition,file\na,rest,x\na,rest,y\n": `cohort.csv: subject "a", condition "rest": found two files, x and ` +
			`y, expected one; name further runs as conditions of their own, or leave them out`,
		"subject,condition,file\na,rest,x\nb,rest,x\n": `cohort.csv: subject "b", condition "rest": found the file x a ` +
			`second time, expected a file of its own`,
		"subject,condition,file\na,rest,x\nb,rest,y\n": `cohort.csv: conditions: found "rest" alone, expected at least 2 to tell apart`,
		"subject,condition,file\na,rest,x\nb,rest,y\nb,task,z\n": `cohort.csv: condition "task": found one subject, "b", expected at ` +
			`least 2: folds hold out whole subjects`,
		"subject,condition,file\na,rest,x\nb,rest\n":                           "cohort.csv:3: found 2 columns, expected 3 as in the header",
		"subject,condition,file\na,rest,x\nb,,y\n":                             "cohort.csv:3: found an empty field, expected a subject, a condition and a file",
		"subject,condition,file\na,rest,x\nb,rest,y\nb,task,z\na,task,u\n,a,b": "cohort.csv:6: found an empty field, expected a subject, a condition and a file",
	} {
		if _, err := readCohort(file("cohort.csv", text)); err == nil || err.Error() != want {
			t.Errorf("%v\nwant\n%s", err, want)
		}
	}
}

// named are files of some names, each the beginning of a series.
func named(names []string) (files []formats.File) {
	for _, name := range names {
		files = append(files, file(name, wideRows()))
	}
	return files
}

func TestCohortOfNames(t *testing.T) {
	names := []string{"study/sub-01/sub-01_task-rest_bold.ptseries.nii", `sub-01\sub-01_task-wm_bold.csv`, "sub-02_task-rest_bold.csv", "sub-02_task-wm_bold.csv",
		"sub-01_task-rest_desc-confounds_timeseries.tsv", "participants.tsv", "sub-03_anat.nii"}
	found, err := FindScans(named(names), nil)
	if err != nil {
		t.Fatal(err)
	}
	ignored := found.Ignored
	c, err := collection.NewCohort("", found.Scans)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Scans) != 4 || c.Scans[0].Confounds != names[4] || !reflect.DeepEqual(c.Scans[1], collection.Scan{Subject: "01", Condition: "wm", File: names[1]}) ||
		!slices.Equal(ignored, names[5:]) {
		t.Errorf("%+v, ignored %q", c, ignored)
	}
}
