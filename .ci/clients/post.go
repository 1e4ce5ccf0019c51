// Posts a file of events with the client that openapi-generator generates, and keeps a receipt.
// Usage: post URL TABLE EVENTS PROOF
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example/client"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	url, table, file, proof := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	text, err := os.ReadFile(file)
	must(err)
	var events []client.Event
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var event client.Event
		must(json.Unmarshal(line, &event))
		events = append(events, event)
	}
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	api := client.NewAPIClient(configuration)
	posted, _, err := api.IngestAPI.PostEvents(context.Background(), table).Event(events).Execute()
	must(err)
	recorded := posted.Receipts // an answer is receipts, or the dry run that was asked for
	if recorded == nil {
		fmt.Fprintln(os.Stderr, "a dry run was not asked for")
		os.Exit(1)
	}
	receipt := recorded.Receipts[len(recorded.Receipts)-1]
	must(os.WriteFile(proof, []byte(receipt.Proof), 0o644))
	// A member that a newer service sends and this client does not know does not stop it.
	members := map[string]any{}
	text, err = json.Marshal(recorded)
	must(err)
	must(json.Unmarshal(text, &members))
	members["newer"] = 1
	text, err = json.Marshal(members)
	must(err)
	must(json.Unmarshal(text, &client.Answer{}))
	found, _, err := api.CertificationAPI.ListFindings(context.Background()).Severity("violation").Limit(10).Execute()
	must(err)
	refused := "nothing"
	_, _, err = api.CertificationAPI.ListFindings(context.Background()).Limit(0).Execute()
	if refusal, ok := err.(*client.GenericOpenAPIError); ok {
		var problem client.Problem
		must(json.Unmarshal(refusal.Body(), &problem))
		// The words that this client knows, or the text of a newer service.
		if known := problem.Type.KnownProblemType; known != nil {
			refused = string(*known)
		} else {
			refused = *problem.Type.String
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"recorded":      recorded.Recorded,
		"already_there": recorded.AlreadyThere,
		"index":         receipt.Index,
		"digest":        receipt.Digest,
		"findings":      found.Published,
		"refused":       refused,
	}))
}
