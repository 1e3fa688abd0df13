package connectome

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem/core/formats"
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
	at := slices.IndexFunc(found.Scans, func(s Scan) bool { return s.Title() == "3, rest" })
	s := found.Scans[at]
	if s.TR != 1.5 || s.More[0].TR != 2 || found.Scans[0].TR != 2 || s.Facts["age"] != "41" || !strings.HasSuffix(s.Motion, "ses-2_task-rest_run-1_motion.tsv") ||
		s.Outliers == "" || s.Confounds != "" {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(found.Shared, []string{"atlases/atlas-4S156Parcels/atlas-4S156Parcels_dseg.tsv"}) {
		t.Errorf("shared %q", found.Shared)
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
