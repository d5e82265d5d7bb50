#include <string.h>
#include <yaml.h>

#include "core/support/doc_private.h"

static fz_place place_of(yaml_mark_t mark)
{
    return (fz_place){(uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

/* What libyaml says, at its place. Its reader gives a byte offset, the others a mark and often a context. */
static fz_status parser_failed(const fz_doc_builder *builder, const yaml_parser_t *parser, const char *text,
                               size_t length, fz_error *err)
{
    const char *problem = parser->problem != NULL ? parser->problem : "invalid YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset < length ? parser->problem_offset : length;
        return fz_doc_builder_fail(builder, fz_place_of(text, offset), err, "%s", problem);
    }
    if (parser->context == NULL)
        return fz_doc_builder_fail(builder, place_of(parser->problem_mark), err, "%s", problem);
    return fz_doc_builder_fail(builder, place_of(parser->problem_mark), err, "%s, %s that starts in line %zu",
                               problem, parser->context, parser->context_mark.line + 1);
}

static fz_status refuse_extras(const fz_doc_builder *builder, const yaml_event_t *event, const void *anchor,
                               const void *tag, fz_error *err)
{
    if (anchor != NULL)
        return fz_doc_builder_fail(builder, place_of(event->start_mark), err,
                                   "anchors (&name) are not supported; write the value out");
    if (tag != NULL)
        return fz_doc_builder_fail(builder, place_of(event->start_mark), err,
                                   "tags (!name) are not supported; remove the tag");
    return FZ_OK;
}

static fz_status scalar(fz_doc_builder *builder, const yaml_event_t *event, fz_error *err)
{
    FZ_TRY(refuse_extras(builder, event, event->data.scalar.anchor, event->data.scalar.tag, err));
    return fz_doc_builder_scalar(builder, place_of(event->start_mark), (const char *)event->data.scalar.value,
                                 event->data.scalar.length,
                                 event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE, err);
}

static fz_status take(fz_doc_builder *builder, const yaml_event_t *event, uint32_t *n_documents,
                      fz_error *err)
{
    fz_place place = place_of(event->start_mark);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++*n_documents > 1)
            return fz_doc_builder_fail(builder, place, err, "a second document begins here; one is allowed");
        return FZ_OK;
    case YAML_ALIAS_EVENT:
        return fz_doc_builder_fail(builder, place, err,
                                   "aliases (*name) are not supported; write the value out");
    case YAML_SCALAR_EVENT:
        return scalar(builder, event, err);
    case YAML_SEQUENCE_START_EVENT:
        FZ_TRY(refuse_extras(builder, event, event->data.sequence_start.anchor,
                             event->data.sequence_start.tag, err));
        return fz_doc_builder_open(builder, FZ_DOC_LIST, place, err);
    case YAML_MAPPING_START_EVENT:
        FZ_TRY(refuse_extras(builder, event, event->data.mapping_start.anchor, event->data.mapping_start.tag,
                             err));
        return fz_doc_builder_open(builder, FZ_DOC_MAP, place, err);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return fz_doc_builder_close(builder, err);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return FZ_OK;
}

fz_status fz_doc_read_yaml(fz_doc_builder *builder, const char *text, size_t length, fz_error *err)
{
    yaml_parser_t parser;
    fz_status status = FZ_OK;
    uint32_t n_documents = 0;
    if (yaml_parser_initialize(&parser) == 0)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    for (bool end = false; status == FZ_OK && !end;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            status = parser_failed(builder, &parser, text, length, err);
            break;
        }
        status = take(builder, &event, &n_documents, err);
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}
