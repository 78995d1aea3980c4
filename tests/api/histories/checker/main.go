// Is a history of posts linearizable? Porcupine judges by a post as one that one caller alone would
// see. Prints each post that is not, and draws its history beside the file, for a browser.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// What a caller sees of a post with one target. Empty: not there, or nobody has seen it yet.
type post struct {
	Caption, Override, Status, At, Account, Target, Revision string
}

// Code 0: nobody heard the answer. It may take effect at any time, or never.
type call struct {
	Client                                                            int
	Called, Answered                                                  int64
	Post, Kind, IfMatch, Target, Caption, Override, Account, At, Only string
	Code                                                              int
	Seen                                                              *post
}

func step(before, input, _ interface{}) (bool, interface{}) {
	was, asked := before.(post), input.(call)
	code, now := asked.expect(was)
	if asked.Code == 0 {
		return true, now
	}
	if asked.Code != code || asked.Code >= 400 || asked.Kind == "delete" {
		return asked.Code == code, now
	}
	if asked.Seen == nil { // a list without it
		return was.Status == "" || (asked.Only != "" && asked.Only != was.Status), was
	}
	seen := *asked.Seen
	if asked.Kind == "list" {
		seen.Revision = was.Revision
	}
	if now != was && seen.Revision == was.Revision {
		return false, was // a change without a new ETag
	}
	if now.Target == "" {
		now.Target = seen.Target
	}
	if now.Revision == "" {
		now.Revision = seen.Revision
	}
	return now == seen && (asked.Only == "" || asked.Only == now.Status), now
}

// expect returns how a call is answered, and what it makes of a post.
func (asked call) expect(was post) (int, post) {
	now := was
	now.Revision = ""
	switch {
	case asked.Kind == "create":
		return 201, *asked.Seen
	case asked.Kind == "list":
		return 200, was
	case was.Status == "":
		return 404, was
	case asked.IfMatch != "" && asked.differs(412, asked.IfMatch, was.Revision):
		return 412, was
	case asked.Kind == "get":
		return 200, was
	case asked.Kind == "delete":
		return 204, post{}
	case asked.Kind == "schedule" && was.Status != "scheduled":
		now.Status, now.At = "scheduled", asked.At
		return 200, now
	case asked.Kind == "cancel" && was.Status == "scheduled":
		now.Status = "cancelled"
		return 200, now
	case asked.Kind == "schedule" || asked.Kind == "cancel":
		return 409, was
	case asked.differs(422, asked.Target, was.Target):
		return 422, was
	case asked.Kind == "edit":
		now.Caption, now.Override, now.At = asked.Caption, asked.Override, asked.At
		return 200, now
	}
	now.Target, now.Account, now.Override, now.At = "", asked.Account, "", asked.At
	if was.Status != "scheduled" {
		now.Status = "draft"
	}
	return 200, now
}

// What nobody has seen yet differs if the answer says so.
func (asked call) differs(code int, named, is string) bool {
	if is == "" {
		return asked.Code == code
	}
	return named != is
}

func main() {
	written, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var calls []call
	if err := json.Unmarshal(written, &calls); err != nil {
		log.Fatal(err)
	}
	posts := map[string][]porcupine.Operation{}
	for _, one := range calls {
		posts[one.Post] = append(posts[one.Post], porcupine.Operation{
			ClientId: one.Client, Input: one, Call: one.Called, Return: one.Answered,
		})
	}
	model := porcupine.Model{
		Init: func() interface{} { return post{} },
		Step: step,
		DescribeOperation: func(input, _ interface{}) string {
			text, _ := json.Marshal(input)
			return string(text)
		},
		DescribeState: func(state interface{}) string { return fmt.Sprintf("%+v", state) },
	}
	unfit := 0
	for id, operations := range posts {
		verdict, shown := porcupine.CheckOperationsVerbose(model, operations, time.Minute)
		if verdict != porcupine.Ok {
			unfit++
			drawn := os.Args[1] + "." + id + ".html"
			fmt.Println(id, len(operations), "calls:", verdict, porcupine.VisualizePath(model, shown, drawn), drawn)
		}
	}
	os.Exit(min(unfit, 1))
}
