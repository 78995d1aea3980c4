// The whole flow with the client that oapi-codegen made: upload, draft, check, publish, watch.
// Prints the live post's address.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"example.com/flow/api"
)

func must[T any](found T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return found
}

func need[T any](found *T, answer *http.Response, body []byte) *T {
	if found == nil {
		log.Fatal(answer.Status, " ", string(body))
	}
	return found
}

func main() {
	baseURL, key, account, photo := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	signed := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := must(api.NewClientWithResponses(baseURL, api.WithRequestEditorFn(signed)))

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part := must(writer.CreateFormFile("file", "bread.jpg"))
	must(part.Write(must(os.ReadFile(photo))))
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	sent := must(client.UploadMediaWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &form))
	file := need(sent.JSON201, sent.HTTPResponse, sent.Body)

	caption, files := "Fresh bread from Go", []string{file.Id}
	made := must(client.CreatePostWithResponse(ctx, nil, api.CreatePostIn{
		Caption: &caption, MediaIds: &files, Targets: []api.TargetIn{{AccountId: account}},
	}))
	post := need(made.JSON201, made.HTTPResponse, made.Body)
	checked := must(client.CheckWithResponse(ctx, post.Id))
	if check := need(checked.JSON200, checked.HTTPResponse, checked.Body); !check.Ready {
		log.Fatal(string(checked.Body))
	}

	// If-Match changes what was read, and nothing later.
	read := must(client.GetPostWithResponse(ctx, post.Id, nil))
	etag, changed := read.HTTPResponse.Header.Get("ETag"), "Rye bread from Go"
	edit := func() *api.EditPostResponse {
		return must(client.EditPostWithResponse(ctx, post.Id, &api.EditPostParams{IfMatch: &etag},
			api.PatchPostIn{Caption: &changed}))
	}
	edited := edit()
	need(edited.JSON200, edited.HTTPResponse, edited.Body)
	if stale := edit(); stale.StatusCode() != http.StatusPreconditionFailed {
		log.Fatal(stale.Status(), " instead of 412")
	}

	// A list with two statuses: both count.
	either := []api.PostStatus{api.PostStatusDraft, api.PostStatusPublished}
	listed := must(client.ListPostsWithResponse(ctx, &api.ListPostsParams{Status: &either}))
	if page := need(listed.JSON200, listed.HTTPResponse, listed.Body); page.Data[0].Id != post.Id {
		log.Fatal("the draft is not in the list of drafts and published posts")
	}

	published := must(client.PublishNowWithResponse(ctx, post.Id, nil))
	need(published.JSON200, published.HTTPResponse, published.Body)
	for {
		now := must(client.GetPostWithResponse(ctx, post.Id, nil))
		target := need(now.JSON200, now.HTTPResponse, now.Body).Targets[0]
		switch {
		case target.Status == api.TargetStatusPublished:
			fmt.Println(*target.Url)
			return
		// The compiler knows every code, so that this one cannot be misspelt.
		case target.ErrorCode != nil && *target.ErrorCode == api.FailureCodeAuthExpired:
			log.Fatal("sign in again")
		case target.Status == api.TargetStatusFailed:
			log.Fatal(*target.ErrorMessage)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
