/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose-dicom: DICOM through GDCM, for the library, which starts it; see dicom_protocol.h. */

#include "dicom_protocol.h"
#include <cerrno>
#include <cstring>
#include <gdcmAttribute.h>
#include <gdcmImageApplyLookupTable.h>
#include <gdcmImageChangePhotometricInterpretation.h>
#include <gdcmImageChangePlanarConfiguration.h>
#include <gdcmImageReader.h>
#include <gdcmReader.h>
#include <gdcmTrace.h>
#include <limits>
#include <locale>
#include <new>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace
{

using gdcm::DataSet;
using gdcm::Tag;

const Tag shared_groups(0x5200, 0x9229), frame_groups(0x5200, 0x9230);

/* The text of an attribute without blanks around it; empty where there is none. */
std::string text_of(const DataSet &set, const Tag &tag)
{
    if (!set.FindDataElement(tag))
        return "";
    const gdcm::ByteValue *value = set.GetDataElement(tag).GetByteValue();
    if (value == nullptr)
        return "";
    std::string text(value->GetPointer(), value->GetLength());
    const char *blanks = " \t\r\n";
    size_t end = text.find('\0');
    text.resize(end == std::string::npos ? text.size() : end);
    size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string::npos)
        return "";
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/* Control characters and bytes of other character sets would reach a terminal. */
void take_text(char out[RUGI_DICOM_TEXT], const DataSet &set, const Tag &tag)
{
    std::string text = text_of(set, tag);
    size_t n = text.size() < RUGI_DICOM_TEXT - 1 ? text.size() : RUGI_DICOM_TEXT - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[n] = '\0';
}

/* Decimal numbers with backslashes between them. @return whether there are n or more */
bool take_numbers(double *out, size_t n, const DataSet &set, const Tag &tag)
{
    std::string text = text_of(set, tag);
    for (char &c : text)
        c = c == '\\' ? ' ' : c;
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double numbers[6];
    for (size_t i = 0; i < n; i++)
        if (!(in >> numbers[i]))
            return false;
    std::memcpy(out, numbers, n * sizeof *out);
    return true;
}

int64_t integer_of(const DataSet &set, const Tag &tag, int64_t otherwise)
{
    double number;
    return take_numbers(&number, 1, set, tag) && number >= -9e15 && number <= 9e15
               ? static_cast<int64_t>(number)
               : otherwise;
}

template <uint16_t group, uint16_t element> uint32_t short_of(const DataSet &set)
{
    gdcm::Attribute<group, element> attribute = {0};
    attribute.SetFromDataSet(set);
    return attribute.GetValue();
}

/* ---- Where frames lie ---- */

/* The first item of a sequence, or nullptr. */
gdcm::SmartPointer<gdcm::SequenceOfItems> items_of(const DataSet &set, const Tag &tag)
{
    if (!set.FindDataElement(tag))
        return nullptr;
    return set.GetDataElement(tag).GetValueAsSQ();
}

void take_plain_place(rugi_dicom_frame &frame, const DataSet &set)
{
    const Tag position(0x0020, 0x0032), orientation(0x0020, 0x0037);
    const Tag spacing(0x0028, 0x0030), intercept(0x0028, 0x1052), slope(0x0028, 0x1053);
    frame.has_position |= take_numbers(frame.position, 3, set, position);
    frame.has_orientation |= take_numbers(frame.orientation, 6, set, orientation);
    take_numbers(frame.spacing, 2, set, spacing);
    take_numbers(&frame.intercept, 1, set, intercept);
    frame.has_slope |= take_numbers(&frame.slope, 1, set, slope);
}

/* From the functional groups of enhanced files. */
void take_groups(rugi_dicom_frame &frame, const DataSet &groups)
{
    const Tag tags[] = {Tag(0x0020, 0x9113), Tag(0x0020, 0x9116), Tag(0x0028, 0x9110),
                        Tag(0x0028, 0x9145)};
    for (const Tag &tag : tags) {
        gdcm::SmartPointer<gdcm::SequenceOfItems> items = items_of(groups, tag);
        if (items != nullptr && items->GetNumberOfItems() > 0)
            take_plain_place(frame, items->GetItem(1).GetNestedDataSet());
    }
}

void take_shared(rugi_dicom_frame &frame, const DataSet &set)
{
    take_plain_place(frame, set);
    gdcm::SmartPointer<gdcm::SequenceOfItems> shared = items_of(set, shared_groups);
    if (shared != nullptr && shared->GetNumberOfItems() > 0)
        take_groups(frame, shared->GetItem(1).GetNestedDataSet());
}

/* ---- Heads ---- */

void take_layout(rugi_dicom_head &head, const DataSet &set)
{
    head.n_rows = short_of<0x0028, 0x0010>(set);
    head.n_columns = short_of<0x0028, 0x0011>(set);
    int64_t n_frames = integer_of(set, Tag(0x0028, 0x0008), 1);
    head.n_frames = n_frames > 0 ? static_cast<uint64_t>(n_frames) : 1;
    head.n_samples = short_of<0x0028, 0x0002>(set);
    head.bits_allocated = short_of<0x0028, 0x0100>(set);
    head.bits_stored = short_of<0x0028, 0x0101>(set);
    head.high_bit = short_of<0x0028, 0x0102>(set);
    head.is_signed = short_of<0x0028, 0x0103>(set) == 1;
    take_text(head.photometric, set, Tag(0x0028, 0x0004));
    head.is_palette = std::strcmp(head.photometric, "PALETTE COLOR") == 0;
    head.is_white_at_zero = std::strcmp(head.photometric, "MONOCHROME1") == 0;
}

/* A value that is stored as the pixels are, signed or unsigned. @return whether there is one */
bool take_sample(int64_t &out, const DataSet &set, const Tag &tag, bool is_signed)
{
    if (!set.FindDataElement(tag))
        return false;
    const gdcm::ByteValue *value = set.GetDataElement(tag).GetByteValue();
    if (value == nullptr || value->GetLength() < 2)
        return false;
    uint16_t bits;
    std::memcpy(&bits, value->GetPointer(), 2);
    out = is_signed ? static_cast<int16_t>(bits) : bits;
    return true;
}

void take_padding(rugi_dicom_head &head, const DataSet &set)
{
    const Tag padding(0x0028, 0x0120), limit(0x0028, 0x0121);
    head.has_padding = take_sample(head.padding, set, padding, head.is_signed);
    head.has_padding_limit =
        head.has_padding && take_sample(head.padding_limit, set, limit, head.is_signed);
}

void take_series(rugi_dicom_head &head, const DataSet &set)
{
    take_text(head.series, set, Tag(0x0020, 0x000e));
    take_text(head.modality, set, Tag(0x0008, 0x0060));
    take_text(head.description, set, Tag(0x0008, 0x103e));
    head.series_number = integer_of(set, Tag(0x0020, 0x0011), 0);
    head.acquisition = integer_of(set, Tag(0x0020, 0x0012), 0);
    head.instance = integer_of(set, Tag(0x0020, 0x0013), 0);
}

void take_detector(rugi_dicom_head &head, const DataSet &set)
{
    rugi_dicom_frame &frame = head.frame;
    if (frame.spacing[0] > 0)
        return;
    head.is_of_detector = take_numbers(frame.spacing, 2, set, Tag(0x0018, 0x1164));
}

/* Opens a file up to its pixels. */
bool read_until_pixels(gdcm::Reader &reader, const char *path)
{
    reader.SetFileName(path);
    return reader.ReadUpToTag(Tag(0x7fdf, 0xffff));
}

/* Does something whose exceptions become codes. */
template <typename function> int guarded(function work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return RUGI_DICOM_NO_MEMORY;
    } catch (...) {
        return RUGI_DICOM_DAMAGED;
    }
}

int read_head(const char *path, rugi_dicom_head &head)
{
    gdcm::Reader reader;
    std::memset(&head, 0, sizeof head);
    if (!read_until_pixels(reader, path))
        return RUGI_DICOM_DAMAGED;
    const DataSet &set = reader.GetFile().GetDataSet();
    take_layout(head, set);
    take_padding(head, set);
    take_series(head, set);
    take_shared(head.frame, set);
    take_detector(head, set);
    const gdcm::TransferSyntax &syntax =
        reader.GetFile().GetHeader().GetDataSetTransferSyntax();
    head.is_packed = syntax.IsEncapsulated() ||
                     syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
    head.is_lossy = text_of(set, Tag(0x0028, 0x2110)) == "01" ||
                    (syntax.IsLossy() && syntax != gdcm::TransferSyntax::JPEG2000);
    return RUGI_DICOM_OK;
}

int read_frames(const char *path, rugi_dicom_frame *frames, uint64_t n)
{
    gdcm::Reader reader;
    rugi_dicom_head head;
    std::memset(&head, 0, sizeof head);
    if (!read_until_pixels(reader, path))
        return RUGI_DICOM_DAMAGED;
    const DataSet &set = reader.GetFile().GetDataSet();
    take_shared(head.frame, set);
    take_detector(head, set);
    for (uint64_t i = 0; i < n; i++)
        frames[i] = head.frame;
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = items_of(set, frame_groups);
    if (items == nullptr)
        return RUGI_DICOM_OK;
    if (items->GetNumberOfItems() != n)
        return RUGI_DICOM_DAMAGED;
    for (uint64_t i = 0; i < n; i++)
        take_groups(frames[i], items->GetItem(i + 1).GetNestedDataSet());
    return RUGI_DICOM_OK;
}

/* ---- Pixels ---- */

int copy_pixels(const gdcm::Bitmap &image, void *pixels, size_t n_bytes)
{
    if (image.GetBufferLength() != n_bytes)
        return RUGI_DICOM_DAMAGED;
    return image.GetBuffer(static_cast<char *>(pixels)) ? RUGI_DICOM_OK
                                                        : RUGI_DICOM_UNKNOWN;
}

/* Colours become red, green and blue of each pixel, one after the other. */
int decode_colours(const gdcm::Image &image, void *pixels, size_t n_bytes)
{
    gdcm::ImageApplyLookupTable palette;
    gdcm::ImageChangePlanarConfiguration planes;
    gdcm::ImageChangePhotometricInterpretation colours;
    const gdcm::Image *now = &image;
    if (now->GetPhotometricInterpretation() ==
        gdcm::PhotometricInterpretation::PALETTE_COLOR) {
        palette.SetInput(*now);
        if (!palette.Apply())
            return RUGI_DICOM_UNKNOWN;
        now = &palette.GetOutput();
    }
    planes.SetInput(*now);
    planes.SetPlanarConfiguration(0);
    if (!planes.Change())
        return RUGI_DICOM_UNKNOWN;
    now = &planes.GetOutput();
    if (now->GetPhotometricInterpretation() != gdcm::PhotometricInterpretation::RGB) {
        colours.SetInput(*now);
        colours.SetPhotometricInterpretation(gdcm::PhotometricInterpretation::RGB);
        if (!colours.Change())
            return RUGI_DICOM_UNKNOWN;
        now = &colours.GetOutput();
    }
    return copy_pixels(*now, pixels, n_bytes);
}

/* What GDCM has to say. */
std::ostringstream trace;

/* GDCM fills up what is missing of a file with zeros, and only says so. */
bool is_cut()
{
    return trace.str().find("at own risk") != std::string::npos;
}

int decode(const char *path, void *pixels, size_t n_bytes)
{
    gdcm::ImageReader reader;
    reader.SetFileName(path);
    trace.str("");
    if (!reader.Read() || is_cut())
        return RUGI_DICOM_DAMAGED;
    const gdcm::Image &image = reader.GetImage();
    const gdcm::PhotometricInterpretation how = image.GetPhotometricInterpretation();
    if (how == gdcm::PhotometricInterpretation::MONOCHROME1 ||
        how == gdcm::PhotometricInterpretation::MONOCHROME2)
        return copy_pixels(image, pixels, n_bytes);
    return decode_colours(image, pixels, n_bytes);
}

/* ---- Requests ---- */

/* @return whether n bytes came */
bool receive(void *to, size_t n)
{
    char *at = static_cast<char *>(to);
    while (n > 0) {
        ssize_t came = read(0, at, n);
        if (came < 0 && errno == EINTR)
            continue;
        if (came <= 0)
            return false;
        at += came;
        n -= static_cast<size_t>(came);
    }
    return true;
}

bool send(const void *from, size_t n)
{
    const char *at = static_cast<const char *>(from);
    while (n > 0) {
        ssize_t gone = write(1, at, n);
        if (gone < 0 && errno == EINTR)
            continue;
        if (gone <= 0)
            return false;
        at += gone;
        n -= static_cast<size_t>(gone);
    }
    return true;
}

/* @param out  the bytes of the answer */
int do_request(const rugi_dicom_request &request, const char *path,
               std::vector<char> &out)
{
    switch (request.what) {
    case RUGI_DICOM_HEAD:
        out.resize(sizeof(rugi_dicom_head));
        return read_head(path, *reinterpret_cast<rugi_dicom_head *>(out.data()));
    case RUGI_DICOM_FRAMES:
        out.resize(request.n * sizeof(rugi_dicom_frame));
        return read_frames(path, reinterpret_cast<rugi_dicom_frame *>(out.data()),
                           request.n);
    default: out.resize(request.n); return decode(path, out.data(), out.size());
    }
}

bool serve(const rugi_dicom_request &request)
{
    std::string path(request.n_path, '\0');
    std::vector<char> out;
    if (!receive(&path[0], path.size()))
        return false;
    rugi_dicom_answer answer = {0, 0, 0};
    answer.code = guarded([&] { return do_request(request, path.c_str(), out); });
    answer.n_bytes = answer.code == RUGI_DICOM_OK ? out.size() : 0;
    return send(&answer, sizeof answer) &&
           send(out.data(), static_cast<size_t>(answer.n_bytes));
}

} // namespace

int main()
{
    rugi_dicom_request request;
    const rugi_dicom_answer hello = {RUGI_DICOM_VERSION, 0, 0};
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* GDCM may end this process: that is what it is for */
    gdcm::Trace::SetStream(trace);
    gdcm::Trace::SetDebug(false);
    gdcm::Trace::SetWarning(true);
    gdcm::Trace::SetError(false);
    bool is_on = send(&hello, sizeof hello);
    while (is_on && receive(&request, sizeof request))
        is_on = serve(request);
    return 0;
}
