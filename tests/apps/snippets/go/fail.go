package main

import "net/http"

func init() {
	http.HandleFunc("/fail", func(http.ResponseWriter, *http.Request) { panic("the server of go fails") })
}
