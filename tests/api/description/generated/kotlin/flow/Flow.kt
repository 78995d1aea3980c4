// The whole flow with the client that openapi-generator made: upload, draft, check, publish, watch.
// Prints the live post's address.
package flow

import java.io.File
import org.openapitools.client.apis.MediaApi
import org.openapitools.client.apis.PostsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.CreatePostIn
import org.openapitools.client.models.FailureCode
import org.openapitools.client.models.PatchPostIn
import org.openapitools.client.models.PostStatus
import org.openapitools.client.models.TargetIn
import org.openapitools.client.models.TargetStatus

fun main(words: Array<String>) {
    val (url, key, account, photo) = words
    ApiClient.accessToken = key
    val posts = PostsApi(url)

    val file = MediaApi(url).uploadMedia(File(photo))
    val targets = listOf(TargetIn(accountId = account))
    val caption = "Fresh bread from Kotlin"
    val post = posts.createPost(CreatePostIn(caption = caption, mediaIds = listOf(file.id), targets = targets))
    check(posts.check(post.id).ready) { "the draft is not ready" }

    // If-Match changes what was read, and nothing later.
    val etag = posts.getPostWithHttpInfo(post.id, null).headers.getValue("etag").first()
    val change = PatchPostIn(caption = "Rye bread from Kotlin")
    posts.editPost(post.id, change, etag)
    try {
        posts.editPost(post.id, change, etag)
        error("a stale edit was taken")
    } catch (refused: ClientException) {
        check(refused.statusCode == 412) { "${refused.statusCode}: ${refused.message}" }
    }

    // A list with two statuses: both count.
    val page = posts.listPosts(status = listOf(PostStatus.DRAFT, PostStatus.PUBLISHED))
    check(page.data.first().id == post.id) { "the draft is not in the list" }

    posts.publishNow(post.id)
    while (true) {
        val target = posts.getPost(post.id).targets.first()
        if (target.status == TargetStatus.PUBLISHED) {
            println(target.url)
            return
        }
        // The compiler knows every code, so that this one cannot be misspelt.
        check(target.errorCode != FailureCode.AUTH_EXPIRED) { "sign in again" }
        check(target.status != TargetStatus.FAILED) { "${target.errorMessage}" }
        Thread.sleep(100)
    }
}
