export type { TranscriptEntry } from './formats/transcript.ts'
export { readPossibleAnswerFiles, readToolResults } from './read-tool-results.ts'
export { readTranscript, recogniseFile, type RecognisedFile } from './recognise.ts'
