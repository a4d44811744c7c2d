package signature

// A recipe is one way to make a base string and its key. The zero recipe is the right way; every
// other value of a field is a mistake. It has two parts, since the parameters are most of the work:
// recipes with equal paramRecipe share them.
type recipe struct {
	params paramRecipe
	rest   restRecipe
}

// A paramRecipe says how the third element is made.
type paramRecipe struct {
	text        textForm
	input       inputForm
	oauthInput  bool // OAuth values encoded before the pipeline
	payload     payloadForm
	body        bodyForm
	query       queryForm
	verbatimURL bool // nothing is collected from the URL, unless query says so
	duplicates  duplicateForm
	realm       bool // add realm
	signature   bool // add an empty oauth_signature
	noVersion   bool
	token       bool // add an empty oauth_token
	millis      bool
	oauthTwice  bool
	dropEmpty   bool
	encoder     encoder
	everywhere  bool // the encoder is used for the elements as well
	rawNames    bool
	rawValues   bool
	order       orderForm
	groups      uint8 // the order of the three groups when unsorted
	rawElement  bool  // the third element is not encoded
	added       int   // the parameter, from 1, that was added after signing; 0 for none
}

// A restRecipe says how method, URL, the whole, key and hash are made.
type restRecipe struct {
	method      methodForm
	verbatim    bool
	pathOnly    bool
	query       queryForm
	port        portForm
	otherScheme bool
	hostTyped   bool
	pathDecoded bool
	slash       slashForm
	segment     segmentForm
	encoder     encoder // of the elements
	rawURL      bool
	whole       bool
	end         string
	key         keyForm
	hash        hashForm
}

type inputForm struct{ bodyNames, bodyValues, queryNames, queryValues, bodyAsSent, queryAsSent bool }

type duplicateForm uint8

const (
	duplicatesKept duplicateForm = iota
	duplicatesFirst
	duplicatesLast
	duplicatesJoined
)

type bodyForm uint8

const (
	bodySigned bodyForm = iota
	bodyOmitted
	bodyNonForm
)

type queryForm uint8

const (
	queryRight queryForm = iota
	queryOmitted
	queryKept
	queryOnly
)

type orderForm uint8

const (
	orderEncoded orderForm = iota
	orderJoined
	orderRawBytes
	orderRawUTF16
	orderNameOnly
	orderNumeric
	orderIgnoringCase
	orderNone
)

type methodForm uint8

const (
	methodRight methodForm = iota
	methodLower
	methodOther
)

type portForm uint8

const (
	portRight portForm = iota
	portKept
	portKeptOfSigned // the default port of the scheme that is signed
	portKeptAsTyped
	portDropped
)

type slashForm uint8

const (
	slashRight slashForm = iota
	slashAdded
	slashEmptyKept
)

type segmentForm uint8

const (
	segmentRight segmentForm = iota
	segmentDropped
	segmentDroppedAfterSlash
	segmentNamedDropped // the last that has a name: what is before a final slash
	segmentNamedDroppedAfterSlash
)

type keyForm uint8

const (
	keyRight keyForm = iota
	keyRaw
	keyNoAmpersand
	keyNoAmpersandRaw
	keyLF
	keyCRLF
	keyLFRaw
	keyCRLFRaw
	keySwapped
	keyNull // and those after it: the words of nullWords
)

type hashForm uint8

const (
	hashRight hashForm = iota
	hashSHA256
	hashSHA512
)

const nullCount = 6

// nullWords are what an absent token secret becomes in other languages, encoded; C and Objective-C
// print theirs where nothing encodes it any more.
func nullWords() [nullCount]string {
	return [nullCount]string{"null", "None", "%28null%29", "(null)", "nil", "undefined"}
}

// An encoder is a percent-encoder: the right one, or one of another language.
type encoder uint8

const (
	encodeRFC3986 encoder = iota
	encodePlus
	encodeNoAsterisk
	encodeNoMarks
	encodeTilde
	encodeNoSlash
	encodeLowerHex
)

// encode returns the text itself if there is nothing to encode.
func (e encoder) encode(text string) string {
	for i := range len(text) {
		if !e.leaves(text[i]) {
			return string(e.append(make([]byte, 0, len(text)+len(text)/4+8), text))
		}
	}
	return text
}

func (e encoder) append(dst []byte, text string) []byte { return appendWith(e, dst, text) }

// appendWith appends the encoding of a text by e.
func appendWith[S string | []byte](e encoder, dst []byte, text S) []byte {
	if e == encodeRFC3986 {
		return appendEncoded(dst, text)
	}
	digits := upperHex
	if e == encodeLowerHex {
		digits = "0123456789abcdef"
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && e == encodePlus:
			dst = append(dst, '+')
		case e.leaves(c):
			dst = append(dst, c)
		default:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

func (e encoder) leaves(c byte) bool {
	switch c {
	case '~':
		return e != encodeTilde
	case '*':
		return e == encodeNoAsterisk || e == encodeNoMarks
	case '!', '\'', '(', ')':
		return e == encodeNoMarks
	case '/':
		return e == encodeNoSlash
	}
	return unreserved[c] != 0
}
