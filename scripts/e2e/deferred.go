package e2e

// deferred are tests that -short leaves to make test-long: most take ten seconds or more, and others cover their ground with fewer
// cases. Beside each stands what make test has of it.
var deferred = map[string]string{
	"TestBadBesideGood":       "TestBadFiles opens what cannot be read",
	"TestCollection":          "TestFolder opens a folder of graphs, TestCohort a table of scans",
	"TestDamagedDatabase":     "TestBadSavedRuns damages what is kept",
	"TestDeathInACheckpoint":  "TestDeath ends the program amid a training",
	"TestEarlierEpochs":       "TestEarlierClusters looks back",
	"TestEveryView":           "TestDrawnLinks opens links with every value of what is seen",
	"TestGoneWorker":          "TestDeath ends the program; endpoint.test.mjs has a worker go, and another one be busy",
	"TestHostileLink":         "TestBadLink follows some, and FuzzLink reads many",
	"TestImportACM":           "TestImportDialog imports arrays",
	"TestInterruptedRun":      "TestImport and TestExport pass runs on",
	"TestKill":                "TestDeath ends the program amid a training, and TestReload the page",
	"TestLargePickle":         "core/formats reads smaller files of that layout",
	"TestLeaderboard":         "TestExperiments runs an experiment, TestOtherMethods trains methods",
	"TestLayersOfManyNodes":   "TestLayers and TestLayersPicture draw layers",
	"TestExercisesByHand":     "TestExercises does what every card asks",
	"TestExercisesOfAStudent": "TestExercises goes through all, and exercises.test.mjs has outcomes that differ",
	"TestLostServiceWorker":   "TestOffline and TestUpdate end service workers",
	"TestOwnExperiment":       "TestExperiments runs an experiment",
	"TestProgramsAgree":       "TestHashesStay holds the bits with and without kernels",
	"TestQuota":               "TestStorageFull fills the disk",
	"TestReports":             "TestExperiments opens reports",
	"TestRest":                "TestDeath brings back a run from what is kept",
	"TestSamePicture":         "TestReload compares what stands after a reload, TestEarlierClusters an earlier epoch",
	"TestSpeedOfRestoring":    "TestBackup and TestAlteredBackups put runs back",
	"TestStopExperiment":      "TestPool cancels tasks",
	"TestStoredLinks":         "TestLink follows links of today",
	"TestStoredRunFiles":      "TestStoredDatabase opens runs of an earlier version",
	"TestVariantsOfOpenFiles": "TestExperiments runs an experiment",
}
