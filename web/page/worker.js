// The worker: it holds the engine, and answers one request after the other. go, defined above, is the toolchain's.
const go = new Go();
self.chargecastProgress = rows => self.postMessage({progress: rows});
self.onmessage = async event => {
	const m = event.data;
	if (m.module) {
		const ready = new Promise(done => { self.chargecastReady = done; });
		const instance = await WebAssembly.instantiate(m.module, go.importObject);
		go.run(instance);
		await ready;
		self.postMessage({ready: true});
		return;
	}
	try {
		for (const [name, bytes] of m.hold || []) self.chargecastHold(name, bytes);
		if (m.take) {
			const bytes = self.chargecastHeld(m.take);
			self.postMessage({id: m.id, bytes}, [bytes.buffer]);
			return;
		}
		self.postMessage({id: m.id, reply: m.request ? self.chargecastAnswer(m.request) : '{}'});
	} catch (e) {
		self.postMessage({id: m.id, failed: true});
	}
};
