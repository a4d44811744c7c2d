// unpack is the inverse of packText in build.go.
function unpack(text) {
	const value = new Uint8Array(128);
	let size = 0;
	for (let c = 0; c < 128; c++) if (!'\x00\x08\x0b\x0c\r\x1a\x1b"&<\\\x7f'.includes(String.fromCharCode(c))) value[c] = size++;
	let at = text.indexOf(' ');
	const bytes = new Uint8Array(Number(text.slice(0, at++)));
	for (let i = 0; i < bytes.length; at += 7) {
		let v = 0;
		for (let k = 6; k >= 0; k--) v = v * size + value[text.charCodeAt(at + k)];
		for (let k = 0; k < 6 && i < bytes.length; k++) {
			bytes[i++] = v % 256;
			v = Math.floor(v / 256);
		}
	}
	return bytes;
}
