package drive

import (
	"fmt"
	"time"
)

// Crowd is a script for the worker of the site: its program takes that number of helpers, one after the other, whatever the
// machine has and does. It reports enough cores for them. With each helper the clock of the program, but not that of timeouts
// for helpers, becomes that many times slower, so steps become shorter. At most the time most passes between two readings then.
func Crowd(helpers, slower int, most time.Duration) string {
	return fmt.Sprintf(`if (self.name === 'cadem compute' && self.Worker) {
	Object.defineProperty(navigator, 'hardwareConcurrency', {value: %d});
	const {postMessage, terminate} = Worker.prototype, {instantiate} = WebAssembly, crew = new Set(), name = 'runtime.nanotime1';
	Worker.prototype.postMessage = function (...a) {
		if (a[0]?.plan) crew.add(this);
		postMessage.apply(this, a);
	};
	Worker.prototype.terminate = function () {
		crew.delete(this);
		terminate.call(this);
	};
	WebAssembly.instantiate = async (module, imports) => {
		const clock = imports?.gojs?.[name];
		let made, at = 0n, told = 0n;
		if (clock) imports.gojs[name] = sp => {
			clock(sp);
			const memory = new DataView(made.exports.mem.buffer), place = (sp >>> 0) + 8, now = memory.getBigInt64(place, true);
			const passed = at ? Number(now - at) : 0;
			told = at ? told + BigInt(Math.round(crew.size ? Math.min(passed, %d) / %d ** crew.size : passed)) : now;
			at = now;
			memory.setBigInt64(place, told, true);
		};
		return made = await instantiate.call(WebAssembly, module, imports);
	};
}
`, helpers+1, most.Nanoseconds(), slower)
}
