// The name of a person or a key: it breaks between words and after an @, and inside a word only if the word is longer
// than the column. A column is as wide as its longest word.
import { Fragment } from "react";

export function Name({ children: name }: { children: string }) {
  const [first = "", ...rest] = name.split("@");
  return (
    <span className="wrap-break-word xl:inline-block xl:max-w-56">
      {first}
      {rest.map((part, index) => (
        <Fragment key={index}>
          @<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
}
