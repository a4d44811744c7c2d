//go:build !(js && wasm)

package main

func main() { println("build this for js/wasm: go run -C web . --out chargecast.html") }
