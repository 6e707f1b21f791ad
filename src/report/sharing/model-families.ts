/** A family of models that answers name without an exact id, and who makes it; patterns of regular expressions. */
interface Family {
  inId: RegExp
  words: string
  makers: string
  /** Words that also name the family inside longer ones, such as `mygpt`; no other word contains them. */
  unmistakable?: string
}

export const FAMILIES: readonly Family[] = [
  { inId: /gpt|^o\d/i, words: 'chat-?gpt|gpt', makers: 'open[ -]?ai(?:gpt)?', unmistakable: 'gpt' },
  { inId: /claude/i, words: 'claude', makers: 'anthropic', unmistakable: 'claude' },
  {
    inId: /gemini|gemma|palm/i,
    words: 'gemini|gemma|palm',
    makers: String.raw`google deepmind|deepmind|google(?:apis)?`,
    unmistakable: 'gemini',
  },
  { inId: /llama/i, words: 'llama', makers: 'meta ai|meta' },
  {
    inId: /mi[sx]tral|codestral|ministral/i,
    words: 'mistral(?:[ -]?ai)?|mixtral|codestral|ministral',
    makers: 'mistral ai',
    unmistakable: 'mixtral',
  },
  {
    inId: /qwen|qwq/i,
    words: 'qwen|qwq|tongyi(?: qianwen)?',
    makers: 'alibaba cloud|alibaba|aliyun',
    unmistakable: 'qwen',
  },
  { inId: /deepseek/i, words: 'deep[ -]?seek', makers: 'deepseek', unmistakable: 'deepseek' },
  { inId: /grok/i, words: 'grok', makers: String.raw`x\.?ai` },
  { inId: /command-[ar]|cohere/i, words: 'command[ -][ar]', makers: 'cohere' },
  { inId: /kimi|moonshot/i, words: 'kimi', makers: 'moonshot(?: ai)?' },
  { inId: /glm|zhipu/i, words: 'chatglm|glm', makers: String.raw`zhipu(?: ai)?|z\.ai` },
  { inId: /\bphi-?\d/i, words: String.raw`phi[ -]?\d`, makers: 'microsoft' },
  { inId: /nova/i, words: '(?:amazon )?nova[ -](?:pro|lite|micro|premier)|amazon nova', makers: 'amazon' },
]

/** Sizes and kinds, as they follow the name of a family. */
export const VERSIONS =
  'opus|sonnet|haiku|mini|nano|micro|pro|flash|lite|turbo|ultra|omni|max|plus|fast|large|medium|small|premier|instruct|preview|latest|chat|coder|codex|thinking|vision|maverick|scout|r1'

/** Names that stand for a Claude model without its family. */
export const TIERS = String.raw`(?:opus|sonnet|haiku)[\s-]?\d(?:[.-]\d)?`
