// TikTok's guidelines: what does not go together cannot be chosen, and the pointer is told why.
// A chosen option stays usable, as a form does not send a disabled one; check refuses the pair.
const bar = (one, isBarred, why) => {
  one.disabled = isBarred;
  one.title = isBarred ? why : "";
};

export const follow = (form) => {
  const why = (name) => form.querySelector(`.tiktok-says .${name}`).textContent;
  let isUnsaid = false;
  for (const part of form.querySelectorAll(".on-tiktok")) {
    const box = (name) => part.querySelector(`[type=checkbox][name$=${name}]`);
    const [discloses, brand, branded] = ["disclose_commercial", "your_brand", "branded_content"].map(box);
    const alone = part.querySelector("option[value=SELF_ONLY]");
    if (!discloses || !brand || !branded) continue;
    if (discloses.checked && !brand.checked && !branded.checked) isUnsaid = true;
    if (!alone) continue;
    bar(alone, branded.checked && !alone.selected, why("private"));
    bar(branded, alone.selected && !branded.checked, why("private"));
  }
  for (const verb of form.querySelectorAll("#send [name=do]")) bar(verb, isUnsaid && verb.value !== "save", why("indicate"));
};
