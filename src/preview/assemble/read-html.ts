import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from 'parse5'

/** The opening tag of an element; for a script, a style and the like also the text in it. */
export interface HtmlTag {
  name: string
  /** By lower-case name; an attribute without a value is the empty string. */
  attributes: Map<string, string>
  start: number
  /** After the opening tag; for an element with text, after its closing tag. */
  end: number
  /** Empty for elements that hold other elements. */
  text: string
}

/** A page, whole or unfinished, with the offsets of what is in it. */
export interface HtmlPage {
  /** Every opening tag, in order, outside comments and the text of scripts and styles. */
  tags: HtmlTag[]
  /** False for a piece of markup without doctype, `<html>`, `<head>` and `<body>`. */
  isDocument: boolean
  /** Before everything of the page's own. */
  headStart: number
  /** Where the head ends, or would end if its tags were written. */
  headEnd: number
  bodyEnd: number
}

/** Elements whose content is text to the browser, whatever it looks like (HTML standard, 13.2.6.4). */
const TEXT_MODES = new Map<string, Tokenizer['state']>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
])

const FOREIGN = new Set(['svg', 'math'])
const FRAME = new Set(['html', 'head', 'body'])

class PageReader implements TokenHandler {
  readonly #html: string
  readonly #tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  readonly #tags: HtmlTag[] = []
  /** The element whose text is being read, with the end of its opening tag. */
  #textOf: { tag: HtmlTag; from: number } | undefined
  #foreignDepth = 0
  #isDocument = false
  #hasContent = false
  #headStart = 0
  #headClosed: number | undefined
  #bodyOpened: number | undefined
  #bodyClosed: number | undefined
  #htmlClosed: number | undefined

  constructor(html: string) {
    this.#html = html
  }

  read(): HtmlPage {
    this.#tokenizer.write(this.#html, true)
    return {
      tags: this.#tags,
      isDocument: this.#isDocument,
      headStart: this.#headStart,
      headEnd: this.#headClosed ?? this.#bodyOpened ?? this.#headStart,
      bodyEnd: this.#bodyClosed ?? this.#htmlClosed ?? this.#html.length,
    }
  }

  onStartTag({ tagName: name, attrs, selfClosing, location }: Token.TagToken): void {
    const { startOffset: start, endOffset: end } = location!
    const tag = { name, attributes: new Map(attrs.map(({ name: key, value }) => [key, value])), start, end, text: '' }
    this.#tags.push(tag)
    if (FRAME.has(name)) this.#isDocument = true
    if (name === 'body') this.#bodyOpened ??= start
    if (name !== 'html' && name !== 'head') this.#hasContent = true
    else if (!this.#hasContent) this.#headStart = end

    if (FOREIGN.has(name) && !selfClosing) this.#setForeignDepth(this.#foreignDepth + 1)
    const mode = TEXT_MODES.get(name)
    // In SVG `<script/>` ends itself, and a title holds elements.
    const isText = this.#foreignDepth === 0 || (!selfClosing && (name === 'script' || name === 'style'))
    if (mode === undefined || !isText) return
    this.#textOf = { tag, from: end }
    this.#tokenizer.state = mode
  }

  onEndTag({ tagName: name, location }: Token.TagToken): void {
    const { startOffset: start, endOffset: end } = location!
    this.#endText(start, end)
    if (FOREIGN.has(name)) this.#setForeignDepth(Math.max(0, this.#foreignDepth - 1))
    if (name === 'head') this.#headClosed ??= start
    if (name === 'body') this.#bodyClosed = start
    if (name === 'html') this.#htmlClosed = start
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    this.#isDocument = true
    if (!this.#hasContent) this.#headStart = location!.endOffset
  }

  onCharacter(): void {
    this.#hasContent = true
  }

  onEof(): void {
    this.#endText(this.#html.length, this.#html.length)
  }

  onComment(): void {}
  onNullCharacter(): void {}
  onWhitespaceCharacter(): void {}

  #endText(textEnd: number, end: number): void {
    if (!this.#textOf) return
    const { tag, from } = this.#textOf
    tag.text = this.#html.slice(from, textEnd)
    tag.end = end
    this.#textOf = undefined
  }

  #setForeignDepth(depth: number): void {
    this.#foreignDepth = depth
    this.#tokenizer.inForeignNode = depth > 0
  }
}

/**
 * Reads the tags of a page. By tokens and not by a tree: a model that repeats `<div>` until it is cut off would keep the builder of
 * the tree busy for a minute, and an unfinished page is read again with every part that arrives.
 */
export function readHtml(html: string): HtmlPage {
  return new PageReader(html).read()
}
