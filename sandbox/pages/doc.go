// Package pages shows a gateway to people: what was charged and why, what will be charged next, and
// why a request was refused. The pages are made on the server, need no script and load nothing from
// elsewhere.
//
// Each page is made from answers of the admin interface and from nothing else, so whatever is
// masked there is masked here. Every action is a form that is posted with a token, which a page of
// another site cannot know.
package pages
