// Package store keeps runs in the browser's IndexedDB, through go-indexeddb, so a
// killed tab loses nothing that was acknowledged.
//
// A run is a record, the page's JSON, and slabs. Every save makes a new generation: the
// slabs that were given are cut into chunks, each written under a name of its own, and
// last, in one strict transaction, a small manifest that names the record, the chunks
// and their checksums. That transaction also removes what is older than the
// generation before. So at any moment the newest manifest names only chunks that are
// whole; an interrupted save leaves orphans, which the next start removes; and if a
// chunk is found damaged the generation before is still there.
//
// Traps of the platform and the library, and where they are met:
//
//   - Await answers "nothing found" or success when its context ends. Contexts here never
//     end; every operation has a time limit around it ([within]) that yields an error.
//   - Transaction.Await does not distinguish an abort without a cause from success. What was
//     written is looked up in a later transaction before it is acknowledged.
//   - Errors that IndexedDB throws come wrapped, those it reports come mapped: [causeOf]
//     finds the name of both.
//   - The library has no blocked event, closes silently on versionchange and ignores
//     close. [connect] listens to all five events itself.
//   - On a full disk Chromium lets requests succeed and fails the transaction, so nothing
//     counts before complete.
//   - WebKit refuses Blobs in private windows, after put has taken them, by aborting the
//     transaction. [Store.Put] then stores their bytes ([noBlobs]).
//   - A stored view drags its whole buffer along: only exact copies are stored.
package store
