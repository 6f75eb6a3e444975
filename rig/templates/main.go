// Command templates renders templates with Go's own text/template and sprig, set up as KUDO 0.19 does it. It is what the
// template engine is compared with.
//
// Each line of the standard input is a question in JSON, each line of the standard output the answer to one.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"text/template"
	"time"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v2"
)

type question struct {
	Name string      `json:"name"`
	Text string      `json:"text"`
	Data interface{} `json:"data"`
	// Bare asks for a rendering with nothing but Go's own functions, some of which sprig hides.
	Bare bool `json:"bare"`
	// Repeat asks how long it takes: the template is then rendered so many times more.
	Repeat int `json:"repeat"`
}

type answer struct {
	Output *string `json:"output,omitempty"`
	Error  string  `json:"error,omitempty"`
	// Nanoseconds is the time of one rendering of the parsed template, the mean of all.
	Nanoseconds int64 `json:"nanoseconds,omitempty"`
}

func functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv", "base", "dir", "clean", "ext", "isAbs"} {
		delete(all, name)
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return string(text), err
	}
	return all
}

func parse(known template.FuncMap, asked question) (*template.Template, error) {
	if asked.Bare {
		known = nil
	}
	return template.New(asked.Name).Option("missingkey=error").Funcs(known).Parse(asked.Text)
}

func render(parsed *template.Template, data interface{}) (output string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	var rendered bytes.Buffer
	err = parsed.Execute(&rendered, data)
	return rendered.String(), err
}

func respond(known template.FuncMap, asked question) answer {
	parsed, err := parse(known, asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	output, err := render(parsed, asked.Data)
	if err != nil {
		return answer{Error: err.Error()}
	}
	if asked.Repeat == 0 {
		return answer{Output: &output}
	}
	begin := time.Now()
	for range asked.Repeat {
		if _, err := render(parsed, asked.Data); err != nil {
			return answer{Error: err.Error()}
		}
	}
	return answer{Output: &output, Nanoseconds: time.Since(begin).Nanoseconds() / int64(asked.Repeat)}
}

func main() {
	known := functions()
	questions := bufio.NewScanner(os.Stdin)
	questions.Buffer(nil, 64<<20)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for questions.Scan() {
		var asked question
		if err := json.Unmarshal(questions.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		if err := answers.Encode(respond(known, asked)); err != nil {
			log.Fatal(err)
		}
	}
	if err := questions.Err(); err != nil {
		log.Fatal(err)
	}
}
