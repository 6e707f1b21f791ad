/** `next/head` and `next/script`: nothing of theirs is on the page. */
export default function Nothing(): null {
  return null
}
