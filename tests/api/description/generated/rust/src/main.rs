// The whole flow with the client that openapi-generator made: upload, draft, check, publish, watch.
// Prints the live post's address.
use std::{env, thread::sleep, time::Duration};

use goldenhour::apis::{configuration::Configuration, media_api, posts_api, Error};
use goldenhour::models::{CreatePostIn, FailureCode, PatchPostIn, PostStatus, TargetIn, TargetStatus};

fn main() {
    let [_, base_path, key, account, photo] = &env::args().collect::<Vec<_>>()[..] else {
        panic!("flow URL KEY ACCOUNT PHOTO");
    };
    let service = Configuration {
        base_path: base_path.clone(),
        bearer_access_token: Some(key.clone()),
        ..Configuration::default()
    };

    let file = media_api::upload_media(&service, photo.into(), None).unwrap();
    let mut draft = CreatePostIn::new(vec![TargetIn::new(account.clone())]);
    draft.caption = Some("Fresh bread from Rust".into());
    draft.media_ids = Some(vec![file.id]);
    let post = posts_api::create_post(&service, draft, None).unwrap();
    assert!(posts_api::check(&service, &post.id).unwrap().ready);

    // If-Match changes what was read, and nothing else. This client shows no headers, so the
    // second change names a version that never was.
    let edited = |caption: &str, version: Option<&str>| {
        let change = PatchPostIn { caption: Some(Some(caption.into())), ..PatchPostIn::new() };
        posts_api::edit_post(&service, &post.id, change, version)
    };
    edited("Rye bread from Rust", None).unwrap();
    match edited("Stale bread from Rust", Some("\"never\"")) {
        Err(Error::ResponseError(refused)) => assert_eq!(412, refused.status.as_u16()),
        other => panic!("{other:?} instead of 412"),
    }

    // A list with two statuses: both count.
    let either = Some(vec![PostStatus::Draft, PostStatus::Published]);
    let page = posts_api::list_posts(
        &service, either, None, None, None, None, None, None, None, None, None, None, None,
    )
    .unwrap();
    assert_eq!(post.id, page.data[0].id);

    posts_api::publish_now(&service, &post.id, None).unwrap();
    loop {
        let now = posts_api::get_post(&service, &post.id, None).unwrap();
        let target = &now.targets[0];
        match (target.status, target.error_code) {
            (TargetStatus::Published, _) => {
                println!("{}", target.url.as_ref().unwrap());
                return;
            }
            // The compiler knows every code, so that this one cannot be misspelt.
            (_, Some(FailureCode::AuthExpired)) => panic!("sign in again"),
            (TargetStatus::Failed, _) => panic!("{:?}", target.error_message),
            _ => sleep(Duration::from_millis(100)),
        }
    }
}
