// The whole flow with the client that openapi-generator made: upload, draft, check, publish, watch.
// Prints the live post's address.
package flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.File;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.MediaApi;
import org.openapitools.client.api.PostsApi;
import org.openapitools.client.model.CreatePostIn;
import org.openapitools.client.model.FailureCode;
import org.openapitools.client.model.PatchPostIn;
import org.openapitools.client.model.PostStatus;
import org.openapitools.client.model.TargetIn;
import org.openapitools.client.model.TargetStatus;
import org.springframework.web.client.RestClientResponseException;

public class Flow {
  public static void main(String[] words) throws InterruptedException {
    // What was not set is left out, never sent as null.
    var mapper = ApiClient.createDefaultObjectMapper(null);
    mapper.setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
    var service = new ApiClient(mapper, ApiClient.createDefaultDateFormat());
    service.setBasePath(words[0]);
    service.setBearerToken(words[1]);
    var posts = new PostsApi(service);

    var file = new MediaApi(service).uploadMedia(new File(words[3]), null);
    var draft = new CreatePostIn().caption("Fresh bread from Java").addMediaIdsItem(file.getId());
    var post = posts.createPost(draft.addTargetsItem(new TargetIn().accountId(words[2])), null);
    need(posts.check(post.getId()).getReady(), "the draft is not ready");

    // If-Match changes what was read, and nothing later.
    var etag = posts.getPostWithHttpInfo(post.getId(), null).getHeaders().getETag();
    var change = new PatchPostIn().caption("Rye bread from Java");
    posts.editPost(post.getId(), change, etag);
    try {
      posts.editPost(post.getId(), change, etag);
      throw new AssertionError("a stale edit was taken");
    } catch (RestClientResponseException refused) {
      need(refused.getStatusCode().value() == 412, refused.getMessage());
    }

    // A list with two statuses: both count.
    var either = List.of(PostStatus.DRAFT, PostStatus.PUBLISHED);
    var page = posts.listPosts(
        either, null, null, null, null, null, null, null, null, null, null, null);
    need(page.getData().get(0).getId().equals(post.getId()), "the draft is not in the list");

    posts.publishNow(post.getId(), null);
    while (true) {
      var target = posts.getPost(post.getId(), null).getTargets().get(0);
      if (target.getStatus() == TargetStatus.PUBLISHED) {
        System.out.println(target.getUrl());
        return;
      }
      // The compiler knows every code, so that this one cannot be misspelt.
      need(target.getErrorCode() != FailureCode.AUTH_EXPIRED, "sign in again");
      need(target.getStatus() != TargetStatus.FAILED, target.getErrorMessage());
      Thread.sleep(100);
    }
  }

  private static void need(boolean held, String otherwise) {
    if (!held) {
      throw new AssertionError(otherwise);
    }
  }
}
