import { Upload, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { gradeNames } from '../../report/words/tool-calls/trajectory-grades.ts'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { Section } from '../ui/Page.tsx'
import type { ChoiceProps } from './TaskChoices.tsx'

/** The key, and how calls are compared with it. */
export function GradeChoices({ reply: { about, summary }, isBusy, onChange }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [credit, setCredit] = useState(about.choices.credit)
  const param = { id: about.id }
  const setKey = (file: File) =>
    onChange(async () =>
      readExactReply(api.trajectories[':id'].key.$put({ param, json: { name: file.name, text: await file.text() } })),
    )
  const grade = (chosen: string) => {
    setCredit(chosen)
    onChange(() =>
      readExactReply(api.trajectories[':id'].read.$post({ param, json: { ...about.choices, credit: chosen } })),
    )
  }
  return (
    <Section
      title="Grading"
      aside={
        about.keyName ??
        (summary ? 'By what the files themselves expect' : 'Needs a key: what each task expects, as YAML or JSON')
      }
    >
      <div className="flex flex-wrap items-end gap-2">
        <SelectField label="Credit" value={credit} disabled={isBusy} onChange={grade} className="w-72 max-w-full">
          <SelectOptions of={gradeNames} />
        </SelectField>
        <Button disabled={isBusy} onClick={() => input.current?.click()}>
          <Upload size={15} aria-hidden /> {about.keyName === undefined ? 'Choose a key' : 'Choose another key'}
        </Button>
        {about.keyName !== undefined && (
          <Button
            kind="quiet"
            disabled={isBusy}
            onClick={() => onChange(() => readExactReply(api.trajectories[':id'].key.$delete({ param })))}
          >
            <X size={15} aria-hidden /> Without the key
          </Button>
        )}
        <input
          ref={input}
          type="file"
          aria-label="Key"
          accept=".yaml,.yml,.json"
          className="hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) setKey(file)
            event.target.value = ''
          }}
        />
      </div>
    </Section>
  )
}
