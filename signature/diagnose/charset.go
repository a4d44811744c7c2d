package diagnose

import (
	"strings"
	"unicode/utf8"
)

// latin1 writes UTF-8 text in Latin-1, with a question mark for what Latin-1 lacks. Text that is not
// UTF-8 stays as it is.
func latin1(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// mojibake reads each byte as a Latin-1 character.
func mojibake(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		out = utf8.AppendRune(out, rune(text[i]))
	}
	return string(out)
}

// decompositions are triples: a letter from U+00C0 to U+017F, its base letter, its mark.
const decompositions = "" +
	"ÀA\u0300ÁA\u0301ÂA\u0302ÃA\u0303ÄA\u0308ÅA\u030aÇC\u0327ÈE\u0300ÉE\u0301ÊE\u0302ËE\u0308ÌI\u0300" +
	"ÍI\u0301ÎI\u0302ÏI\u0308ÑN\u0303ÒO\u0300ÓO\u0301ÔO\u0302ÕO\u0303ÖO\u0308ÙU\u0300ÚU\u0301ÛU\u0302" +
	"ÜU\u0308ÝY\u0301àa\u0300áa\u0301âa\u0302ãa\u0303äa\u0308åa\u030açc\u0327èe\u0300ée\u0301êe\u0302" +
	"ëe\u0308ìi\u0300íi\u0301îi\u0302ïi\u0308ñn\u0303òo\u0300óo\u0301ôo\u0302õo\u0303öo\u0308ùu\u0300" +
	"úu\u0301ûu\u0302üu\u0308ýy\u0301ÿy\u0308ĀA\u0304āa\u0304ĂA\u0306ăa\u0306ĄA\u0328ąa\u0328ĆC\u0301" +
	"ćc\u0301ĈC\u0302ĉc\u0302ĊC\u0307ċc\u0307ČC\u030cčc\u030cĎD\u030cďd\u030cĒE\u0304ēe\u0304ĔE\u0306" +
	"ĕe\u0306ĖE\u0307ėe\u0307ĘE\u0328ęe\u0328ĚE\u030cěe\u030cĜG\u0302ĝg\u0302ĞG\u0306ğg\u0306ĠG\u0307" +
	"ġg\u0307ĢG\u0327ģg\u0327ĤH\u0302ĥh\u0302ĨI\u0303ĩi\u0303ĪI\u0304īi\u0304ĬI\u0306ĭi\u0306ĮI\u0328" +
	"įi\u0328İI\u0307ĴJ\u0302ĵj\u0302ĶK\u0327ķk\u0327ĹL\u0301ĺl\u0301ĻL\u0327ļl\u0327ĽL\u030cľl\u030c" +
	"ŃN\u0301ńn\u0301ŅN\u0327ņn\u0327ŇN\u030cňn\u030cŌO\u0304ōo\u0304ŎO\u0306ŏo\u0306ŐO\u030bőo\u030b" +
	"ŔR\u0301ŕr\u0301ŖR\u0327ŗr\u0327ŘR\u030cřr\u030cŚS\u0301śs\u0301ŜS\u0302ŝs\u0302ŞS\u0327şs\u0327" +
	"ŠS\u030cšs\u030cŢT\u0327ţt\u0327ŤT\u030cťt\u030cŨU\u0303ũu\u0303ŪU\u0304ūu\u0304ŬU\u0306ŭu\u0306" +
	"ŮU\u030aůu\u030aŰU\u030bűu\u030bŲU\u0328ųu\u0328ŴW\u0302ŵw\u0302ŶY\u0302ŷy\u0302ŸY\u0308ŹZ\u0301" +
	"źz\u0301ŻZ\u0307żz\u0307ŽZ\u030cžz\u030c"

// decompose is canonical decomposition for the letters of the table. A letter is in the table once, at
// the start of its triple: bases are ASCII and marks are beyond U+017F.
func decompose(text string) string {
	out := make([]byte, 0, len(text)+8)
	for i, r := range text {
		size := len(string(r))
		at := -1
		if r >= 0xc0 && r <= 0x17f {
			at = strings.IndexRune(decompositions, r)
		}
		switch {
		case at >= 0:
			triple := decompositions[at+size:]
			_, mark := utf8.DecodeRuneInString(triple[1:])
			out = append(out, triple[:1+mark]...)
		case r == utf8.RuneError:
			out = append(out, text[i]) // a byte that is not UTF-8, or the first of U+FFFD, whose others follow below
			if strings.HasPrefix(text[i:], string(utf8.RuneError)) {
				out = append(out, text[i+1:i+size]...)
			}
		default:
			out = append(out, text[i:i+size]...)
		}
	}
	return string(out)
}

// plainASCII reports whether a text is ASCII, so that all ways to encode it agree.
func plainASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
