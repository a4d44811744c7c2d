// Package pages shows a gateway to people: what was charged and why, what will be charged next, and
// why a request was refused. The pages are made on the server, need no script and load nothing from
// elsewhere.
//
// The pages know what the admin interface says and nothing else: each is made from its answers, so
// whatever is masked there is masked here. Every action is a form that is posted with a token, which a
// page of another site cannot know.
package pages
