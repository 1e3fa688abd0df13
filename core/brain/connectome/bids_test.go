package connectome

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// derivatives are a folder as XCP-D writes it: three subjects with two sessions, two runs of rest, two atlases, and one subject without the second task.
func derivatives() (files []formats.File) {
	add := func(name, text string) { files = append(files, file(name, text)) }
	add("dataset_description.json", `{"Name": "invented"}`)
	add("participants.tsv", "participant_id\tgroup\tage\nsub-1\tcase\t30\nsub-2\tcase\tn/a\nsub-3\tcontrol\t41\nsub-4\tcontrol\t42\nsub-5\tn/a\t50\n")
	add("task-rest_bold.json", `{"RepetitionTime": 2}`)
	add("task-nback_bold.json", `{"SamplingFrequency": 0.5}`)
	for _, atlas := range []string{"Gordon", "4S156Parcels"} {
		add("atlases/atlas-"+atlas+"/atlas-"+atlas+"_dseg.tsv", "index\tlabel\tnetwork_label\n1\tA\tVis\n2\tB\tCont\n")
	}
	for subject := 1; subject <= 5; subject++ {
		for _, ses := range []string{"1", "2"} {
			for _, part := range []string{"task-rest_run-1", "task-rest_run-2", "task-nback"} {
				if subject == 2 && part == "task-nback" {
					continue
				}
				stem := fmt.Sprintf("sub-%d/ses-%s/func/sub-%d_ses-%s_%s", subject, ses, subject, ses, part)
				for _, atlas := range []string{"Gordon", "4S156Parcels"} {
					if subject != 3 || atlas != "Gordon" {
						add(stem+"_space-fsLR_seg-"+atlas+"_stat-mean_timeseries.tsv", wideRows())
					}
					add(stem+"_space-fsLR_seg-"+atlas+"_stat-alff_bold.tsv", "A\tB\n1\t2\n")
				}
				add(stem+"_motion.tsv", "trans_x\tframewise_displacement\n0\tn/a\n")
				add(stem+"_outliers.tsv", "framewise_displacement\n0\n")
			}
		}
	}
	add("sub-3/ses-2/func/sub-3_ses-2_task-rest_run-1_bold.json", `{"RepetitionTime": 1.5}`)
	return files
}

func TestDerivatives(t *testing.T) {
	chosen := func(f *Found) (list string) {
		for _, q := range f.Questions {
			list += q.Name + "=" + q.Chosen + " of " + strings.Join(q.Values, "|") + "; "
		}
		return list
	}
	for _, c := range []struct {
		choose map[string]string
		asked  string
		scans  int
		first  string // titles of the first two scans
		more   int    // runs joined to the first
	}{
		{nil, "atlas=4S156Parcels of 4S156Parcels|Gordon; condition=task of task|session|group|run; sessions=1 of 1|2|join|apart; runs=join of join|apart|1|2; ",
			9, "1, nback; 1, rest", 0},
		{map[string]string{"atlas": "Gordon", "sessions": "join"}, "", 7, "1, nback; 1, rest", 1},
		{map[string]string{"sessions": "apart", "runs": "apart"}, "", 5*4 + 4*2, "1, nback, session 1; 1, rest, session 1, run 1", 0},
		{map[string]string{"condition": "group"},
			"atlas=4S156Parcels of 4S156Parcels|Gordon; condition=group of task|session|group|run; task=rest of nback|rest; " +
				"sessions=1 of 1|2|join|apart; runs=join of join|apart|1|2; ",
			4, "1, case; 2, case", 1},
		{map[string]string{"condition": "session"}, "", 10, "1, 1; 1, 2", 1},
		{map[string]string{"condition": "run"}, "atlas=4S156Parcels of 4S156Parcels|Gordon; condition=run of task|session|group|run; task=rest of nback|rest; " +
			"sessions=1 of 1|2|join|apart; ", 10, "1, run 1; 1, run 2", 0},
	} {
		found, err := FindScans(derivatives(), c.choose)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for k := range found.Scans {
			titles = append(titles, found.Scans[k].Title())
		}
		if c.asked != "" && chosen(found) != c.asked || len(found.Scans) != c.scans ||
			strings.Join(titles[:2], "; ") != c.first || len(found.Scans[0].More) != c.more {
			t.Errorf("%v: %s%d scans: %q, %d more", c.choose, chosen(found), len(found.Scans), titles, len(found.Scans[0].More))
		}
	}
	found, err := FindScans(derivatives(), map[string]string{"sessions": "2"})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found.Scans, func(s collection.Scan) bool { return s.Title() == "3, rest" })
	s := found.Scans[at]
	if s.TR != 1.5 || s.More[0].TR != 2 || found.Scans[0].TR != 2 || s.Facts["age"] != "41" || !strings.HasSuffix(s.Motion, "ses-2_task-rest_run-1_motion.tsv") ||
		s.Outliers == "" || s.Confounds != "" {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(found.Shared, []string{"atlases/atlas-4S156Parcels/atlas-4S156Parcels_dseg.tsv"}) {
		t.Errorf("shared %q", found.Shared)
	}
	places := file("coordinates.tsv", "name\tx\ty\tz\nLH_Vis_1\t-9\t-90\t1\nRH_Vis_1\t9\t-90\t1\n") // of which atlas its name does not say
	if more, err := FindScans(append(derivatives(), places), nil); err != nil || !slices.Contains(more.Shared, "coordinates.tsv") {
		t.Errorf("%+v, %v", more, err)
	}
	var why []string
	for _, u := range found.Unused {
		why = append(why, u.Text())
	}
	said := strings.Join(append(found.Said, why...), "\n")
	for _, want := range []string{"Without nback: 2;", "14 recordings from the JSON files", "(regional homogeneity and amplitudes",
		"(of another atlas than 4S156Parcels)",
		"(of another session than 2)", "tables of other atlases than 4S156Parcels"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	for want, choose := range map[string]map[string]string{
		`atlas: found "AAL", expected one of 4S156Parcels, Gordon`:                                             {"atlas": "AAL"},
		"colour: found a choice that these files do not leave, expected one of atlas, condition, sessions, ru": {"colour": "red"},
	} {
		if _, err := FindScans(derivatives(), choose); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Recordings as the Human Connectome Project names them, their motion beside them.
func TestNamesOfTheHCP(t *testing.T) {
	var files []formats.File
	for _, subject := range []string{"100307", "100408"} {
		for _, run := range []string{"rfMRI_REST1_LR", "rfMRI_REST1_RL", "tfMRI_WM_LR"} {
			folder := subject + "/MNINonLinear/Results/" + run + "/"
			files = append(files, file(folder+run+"_Atlas_MSMAll.ptseries.nii", "\x1c\x02\x00\x00"),
				file(folder+"Movement_Regressors.txt", strings.Repeat("1 2 3 4 5 6\n", 20)),
				file(folder+"Movement_RelativeRMS_mean.txt", "0.1\n"))
		}
	}
	found, err := FindScans(files, nil)
	if err != nil || len(found.Scans) != 4 {
		t.Fatalf("%+v, %v", found, err)
	}
	s := found.Scans[0]
	if s.Title() != "100307, rest" || len(s.More) != 1 || !strings.HasSuffix(s.Confounds, "REST1_LR/Movement_Regressors.txt") ||
		!strings.HasSuffix(s.More[0].Confounds, "REST1_RL/Movement_Regressors.txt") || found.Scans[1].Title() != "100307, wm" {
		t.Errorf("%+v", found.Scans)
	}
}

// Of a series the JSON files of its own name, those above it and those of its image say how long a frame takes; what cannot be
// read is named with its file and field. Fields say whether the series was filtered before.
func TestWhatJSONFilesSay(t *testing.T) {
	const series, raw = "sub-1/func/sub-1_task-rest_run-1_seg-A_stat-mean_timeseries", "sub-1/func/sub-1_task-rest_run-1_bold.json"
	const own, denoised = series + ".json", "sub-1/func/sub-1_task-rest_run-1_space-MNI_desc-denoised_bold.json"
	usable := func(path, field, found string) string {
		return path + ": " + field + ": found " + found + ", expected a number that makes a frame take more than 0 and up to 100 s"
	}
	for _, c := range []struct {
		says              map[string]string // by file
		tr                float64
		untimed, filtered string
	}{
		{nil, 0, "", ""},
		{map[string]string{own: `{"RepetitionTime": 2.5}`}, 2.5, "", ""},
		{map[string]string{own: "\ufeff" + `{"SamplingFrequency": 0.5}`}, 2, "", ""},
		{map[string]string{own: `{}`}, 0, "", ""},
		{map[string]string{own: `{"RepetitionTime": -1}`}, 0, usable(own, "RepetitionTime", "-1"), ""},
		{map[string]string{own: `{"RepetitionTime": 0}`}, 0, usable(own, "RepetitionTime", "0"), ""},
		{map[string]string{own: `{"RepetitionTime": 2000}`}, 0, usable(own, "RepetitionTime", "2000"), ""},
		{map[string]string{own: `{"RepetitionTime": "2.0"}`}, 0, usable(own, "RepetitionTime", `"2.0"`), ""},
		{map[string]string{own: `{"RepetitionTime": null}`}, 0, usable(own, "RepetitionTime", "null"), ""},
		{map[string]string{own: `{"RepetitionTime": [2]}`}, 0, usable(own, "RepetitionTime", "[2]"), ""},
		{map[string]string{own: `{"SamplingFrequency": "0.5 Hz"}`}, 0, usable(own, "SamplingFrequency", `"0.5 Hz"`), ""},
		{map[string]string{own: `{"RepetitionTime": 2,`}, 0, own + ": found no JSON object (json: byte 21: found the end, " +
			`expected a name in quotation marks)`, ""},
		{map[string]string{own: `[2]`}, 0, own + ": found no JSON object (found array, expected map[string]json.RawMessage)", ""},
		// Those above, and of the image.
		{map[string]string{own: `{}`, "task-rest_bold.json": `{"RepetitionTime": 3}`, "task-back_bold.json": `{"RepetitionTime": 9}`}, 3, "", ""},
		{map[string]string{"sub-1/sub-1_bold.json": `{"RepetitionTime": 4}`, "bold.json": `{"RepetitionTime": 3}`}, 4, "", ""},
		{map[string]string{own: `{"RepetitionTime": -1}`, "bold.json": `{"RepetitionTime": 3}`}, 3,
			usable(own, "RepetitionTime", "-1"), ""},
		{map[string]string{"sub-1/task-rest_bold.json": `{"RepetitionTime": 4}`, "sub-1_task-rest_bold.json": `{"RepetitionTime": 3}`}, 4, "", ""},
		{map[string]string{own: `{"SamplingFrequency": "TR"}`, denoised: `{"RepetitionTime": 2}`, "raw/" + raw: `{"RepetitionTime": 3}`}, 2, "", ""},
		{map[string]string{own: `{"SamplingFrequency": "TR"}`, "raw/" + raw: `{"RepetitionTime": 3}`}, 3, "", ""},
		{map[string]string{own: `{"SamplingFrequency": "TR"}`, "raw/task-rest_bold.json": `{"RepetitionTime": 3}`}, 3, "", ""},
		{map[string]string{denoised: `{"RepetitionTime": "2"}`}, 0, usable(denoised, "RepetitionTime", `"2"`), ""},
		{map[string]string{"raw/" + strings.Replace(raw, "run-1", "run-2", 1): `{"RepetitionTime": 3}`,
			"sub-1/func/sub-1_task-rest_run-1_desc-confounds_bold.json": `{"RepetitionTime": 3}`}, 0, "", ""},
		// Filters.
		{map[string]string{own: `{"RepetitionTime": 2, "Band Pass": [0.01, 0.1]}`}, 2, "", own + ": Band Pass"},
		{map[string]string{own: `{"HighpassFilter": 0.008}`, raw: `{"RepetitionTime": 2}`}, 2, "", own + ": HighpassFilter"},
		{map[string]string{denoised: `{"RepetitionTime": 2, "SoftwareFilters": {"Bandpass filter": {"Filter order": 2}}}`}, 2, "",
			denoised + ": SoftwareFilters"},
		{map[string]string{denoised: `{"RepetitionTime": 2, "SoftwareFilters": null, "Bandpass": false, "LowPass": "n/a", "HighPass": { }}`}, 2, "", ""},
	} {
		files := []formats.File{file(series+".tsv", wideRows())}
		for name, text := range c.says {
			files = append(files, file(name, text))
		}
		found, err := FindScans(files, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := found.Scans[0]; s.TR != c.tr || s.Untimed != c.untimed || s.Filtered != c.filtered {
			t.Errorf("%v: %v s, %q, %q", c.says, s.TR, s.Untimed, s.Filtered)
		}
		bad := slices.ContainsFunc(found.Said, func(s string) bool { return strings.HasSuffix(s, "; it is not used.") })
		if bad != (c.untimed != "") {
			t.Errorf("%v: said %q", c.says, found.Said)
		}
	}
	// What another program's image says of filters is not about the series.
	found, err := FindScans([]formats.File{file("sub-1_task-rest_seg-A_timeseries.tsv", wideRows()),
		file("sub-1_task-rest_desc-denoised_bold.json", `{"RepetitionTime": 2, "SoftwareFilters": {"Bandpass filter": {}}}`)}, nil)
	if err != nil || found.Scans[0].TR != 2 || found.Scans[0].Filtered != "" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = FindScans([]formats.File{file("sub-1_task-rest_seg-A_desc-denoisedSmoothed_timeseries.tsv", wideRows())}, nil); err != nil ||
		found.Scans[0].Filtered != "desc-denoisedSmoothed in its name" {
		t.Errorf("%+v, %v", found, err)
	}
}

// Subjects of whom nothing is used get numbers, too: those of the scans go on.
func TestNumbersOfThoseLeftOut(t *testing.T) {
	f := &Found{Scans: []collection.Scan{{Subject: "ann", File: "ann.csv"}, {Subject: "bob", File: "bob.csv"}},
		Left: []collection.Left{{Subject: "cy", Why: "x"}, {Subject: "ann", Why: "x"}, {Subject: "cy", Why: "y"}}}
	f.number()
	if f.Left[0].Subject != "3" || f.Left[1].Subject != "1" || f.Left[2].Subject != "3" {
		t.Errorf("%+v", f.Left)
	}
}
