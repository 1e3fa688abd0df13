package store

import (
	"errors"
	"strings"

	"cadem/wasm/bridge"
)

// noBlobs tells whether an error says that the database takes no Blobs: WebKit's, in private
// windows, aborts the transaction with an UnknownError, others could throw at once.
func noBlobs(err error) bool {
	name := causeOf(err)
	return name == "UnknownError" || name == "DataCloneError"
}

// noRoom tells whether an error says that the disk or the site's share of it is full.
// Chromium keeps large values in files of their own; when the disk takes no more of one,
// it reports no quota but that file.
func noRoom(err error) bool {
	switch causeOf(err) {
	case "QuotaExceededError":
		return true
	case "DataError":
		return strings.Contains(err.Error(), "Failed to write blobs")
	}
	return false
}

// storageError gives an error of the database a code and a sentence.
func storageError(doing string, err error) error {
	var e *bridge.Error
	if errors.As(err, &e) {
		return e
	}
	if noRoom(err) {
		return bridge.Errorf("quota", "There is no room left (%s).", doing)
	}
	return bridge.Errorf("storage", "The browser's database failed while %s: %v.", doing, err)
}
